// n-writers-a-reader(N): writer i stores i to x, and one reader loads it. N + 1 executions. Abdulla et al. 2018, Table 4.
// Parameters: N writers.
#include "common.h"

#ifndef N
#define N 7
#endif

atomic_int x;

void *writer(void *number) {
    STORE(x, (int)(long)number);
    return NULL;
}

void *reader(void *unused) {
    LOAD(x);
    return NULL;
}

int main(void) {
    pthread_t w[N], r;
    for (long i = 0; i < N; i++)
        pthread_create(&w[i], NULL, writer, (void *)(i + 1));
    pthread_create(&r, NULL, reader, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(w[i], NULL);
    pthread_join(r, NULL);
    return 0;
}
