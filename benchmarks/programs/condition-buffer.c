// condition-buffer(N): N producers and N consumers of a buffer with one place, under a mutex and two condition
// variables, an item each.
// Parameters: N producers and consumers.
#include "common.h"

#ifndef N
#define N 2
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int buffer, sum;

void *producer(void *value) {
    pthread_mutex_lock(&lock);
    while (buffer != 0)
        pthread_cond_wait(&emptied, &lock);
    buffer = (int)(long)value;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    while (buffer == 0)
        pthread_cond_wait(&filled, &lock);
    sum += buffer;
    buffer = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[2 * N];
    for (long i = 0; i < N; i++) {
        pthread_create(&t[2 * i], NULL, producer, (void *)(i + 1));
        pthread_create(&t[2 * i + 1], NULL, consumer, NULL);
    }
    for (int i = 0; i < 2 * N; i++)
        pthread_join(t[i], NULL);
    assert(sum == N * (N + 1) / 2);
    return 0;
}
