// twa-lock(N): a ticket lock whose far waiters wait at a place of a small array instead ("ticket lock augmented with a
// waiting array", Dice and Kogan 2019). Tunç et al. 2023, Tables 1 and 3.
// Parameters: N threads; ROUNDS, how often each takes the lock.
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#define PLACES 4
#define NEAR 1
atomic_int next_ticket, now_serving, waiting[PLACES];

void lock(void) {
    int ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    int serving = atomic_load_explicit(&now_serving, memory_order_acquire);
    while (ticket - serving > NEAR) {
        int old = atomic_load_explicit(&waiting[ticket % PLACES], memory_order_acquire);
        serving = atomic_load_explicit(&now_serving, memory_order_acquire);
        if (ticket - serving <= NEAR)
            break;
        while (atomic_load_explicit(&waiting[ticket % PLACES], memory_order_acquire) == old)
            ;
        serving = atomic_load_explicit(&now_serving, memory_order_acquire);
    }
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != ticket)
        ;
}

void unlock(void) {
    int next = atomic_load_explicit(&now_serving, memory_order_relaxed) + 1;
    atomic_store_explicit(&now_serving, next, memory_order_seq_cst);
    atomic_fetch_add_explicit(&waiting[(next + NEAR) % PLACES], 1, memory_order_acq_rel);
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
