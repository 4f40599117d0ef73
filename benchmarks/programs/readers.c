// readers(N): one writer stores x, and N readers load it. 2^N executions.
// Parameters: N readers.
#include "common.h"

#ifndef N
#define N 8
#endif

atomic_int x;

void *writer(void *unused) {
    STORE(x, 1);
    return NULL;
}

void *reader(void *unused) {
    LOAD(x);
    return NULL;
}

int main(void) {
    pthread_t w, r[N];
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&r[i], NULL, reader, NULL);
    pthread_join(w, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(r[i], NULL);
    return 0;
}
