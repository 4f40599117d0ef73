// barrier(N): a spinning barrier of a counter and a step. One thread writes before it, the others read after it. Abdulla
// et al. 2018, Table 7; Tunç et al. 2023, Table 1. Parameters: N threads.
#include "common.h"

#ifndef N
#define N 3
#endif

atomic_int waiting, step;
int shared;

// Says whether this thread came last.
int barrier_wait(void) {
    int current = atomic_load_explicit(&step, memory_order_acquire);
    if (atomic_fetch_add_explicit(&waiting, 1, memory_order_acq_rel) == N - 1) {
        atomic_store_explicit(&waiting, 0, memory_order_relaxed);
        atomic_fetch_add_explicit(&step, 1, memory_order_acq_rel);
        return 1;
    }
    while (atomic_load_explicit(&step, memory_order_acquire) == current)
        ;
    return 0;
}

void *writer(void *unused) {
    shared = 1;
    barrier_wait();
    return NULL;
}

void *reader(void *unused) {
    barrier_wait();
    assert(shared == 1);
    return NULL;
}

int main(void) {
    pthread_t t[N];
    pthread_create(&t[0], NULL, writer, NULL);
    for (int i = 1; i < N; i++)
        pthread_create(&t[i], NULL, reader, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
