// ttas-lock(N): test and test-and-set: wait until the lock looks free, then try to take it. Tunç et al. 2023, Tables 1 and 3.
// Parameters: N threads; ROUNDS, how often each takes the lock.
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

atomic_int word;

void lock(void) {
    do
        while (atomic_load_explicit(&word, memory_order_relaxed))
            ;
    while (atomic_exchange_explicit(&word, 1, memory_order_acquire));
}

void unlock(void) {
    atomic_store_explicit(&word, 0, memory_order_release);
}

int shared;

void *thread(void *number) {
    int me = (int)(long)number;
    for (int i = 0; i < ROUNDS; i++) {
        lock();
        shared = me;
        assert(shared == me);
        unlock();
    }
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
