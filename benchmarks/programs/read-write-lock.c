// read-write-lock(N): N readers and WRITERS writers of a pair of variables under a lock for many readers or one writer.
// Parameters: N readers, WRITERS writers.
#include "common.h"

#ifndef N
#define N 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(x == y);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    x++;
    y++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[N + WRITERS];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, reader, NULL);
    for (int i = N; i < N + WRITERS; i++)
        pthread_create(&t[i], NULL, writer, NULL);
    for (int i = 0; i < N + WRITERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
