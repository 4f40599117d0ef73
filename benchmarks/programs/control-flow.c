// control-flow(N): what a thread does depends on what it reads. 2^N + 2N + 1 executions. Abdulla et al. 2018, Table 5; Tunç et al. 2023,
// Table 1. Parameters: N readers of x, and N writers of y.
#include "common.h"

#ifndef N
#define N 6
#endif

atomic_int x, y, z;

void *reader(void *unused) {
    LOAD(x);
    return NULL;
}

void *writer(void *unused) {
    STORE(y, 1);
    return NULL;
}

void *first(void *unused) {
    if (LOAD(y) == 0)
        STORE(z, 1);
    return NULL;
}

void *second(void *unused) {
    if (LOAD(z) == 1 && LOAD(y) == 0)
        STORE(x, 1);
    return NULL;
}

int main(void) {
    pthread_t t[2 * N + 2];
    for (int i = 0; i < N; i++) {
        pthread_create(&t[2 * i], NULL, reader, NULL);
        pthread_create(&t[2 * i + 1], NULL, writer, NULL);
    }
    pthread_create(&t[2 * N], NULL, first, NULL);
    pthread_create(&t[2 * N + 1], NULL, second, NULL);
    for (int i = 0; i < 2 * N + 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
