// redundant-co(N): two writers store to x N times each, and one reader loads it twice. 3N^2 + 3N + 1 executions: how
// the writes are ordered among each other makes none. Abdulla et al. 2018, Table 4.
// Parameters: N stores a writer.
#include "common.h"

#ifndef N
#define N 5
#endif

atomic_int x;

void *writer(void *unused) {
    for (int i = 0; i < N; i++)
        STORE(x, 1);
    return NULL;
}

void *reader(void *unused) {
    LOAD(x);
    LOAD(x);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, writer, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
