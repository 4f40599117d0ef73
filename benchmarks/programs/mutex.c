// mutex(N): a lock with three states: free, held, and held with others that wait for it, as it is made with a futex;
// here who waits spins. Tunç et al. 2023, Tables 1 and 3.
// Parameters: N threads; ROUNDS, how often each takes the lock.
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

enum { FREE, HELD, WAITED_FOR };
atomic_int word;

void lock(void) {
    int seen = FREE;
    if (atomic_compare_exchange_strong_explicit(&word, &seen, HELD, memory_order_acquire, memory_order_relaxed))
        return;
    while (atomic_exchange_explicit(&word, WAITED_FOR, memory_order_acquire) != FREE)
        while (atomic_load_explicit(&word, memory_order_relaxed) == WAITED_FOR)
            ;
}

void unlock(void) {
    atomic_exchange_explicit(&word, FREE, memory_order_release);
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
