// ainc(N): N threads increment x atomically, in any order: N! executions.
// Parameters: N threads.
#include "common.h"

#ifndef N
#define N 5
#endif

atomic_int x;

void *incrementer(void *unused) {
    ADD(x, 1);
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, incrementer, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(LOAD(x) == N);
    return 0;
}
