// ticket-mutex(N): a thread draws a ticket, and waits until it is called. N! executions for one round. Abdulla et al. 2018,
// Table 6; Tunç et al. 2023, Table 1 as ticketlock.
// Parameters: N threads; ROUNDS, how often each takes the lock.
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

atomic_int next_ticket, now_serving;

void lock(void) {
    int ticket = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != ticket)
        ;
}

void unlock(void) {
    int ticket = atomic_load_explicit(&now_serving, memory_order_relaxed);
    atomic_store_explicit(&now_serving, ticket + 1, memory_order_release);
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
