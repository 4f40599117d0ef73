// clh(N): the queue lock of Craig, Landin and Hagersten: each waits at the node of the one before it, and takes that
// node over when it leaves. Abdulla et al. 2018, Table 8 (CLH_c11).
// Parameters: N threads; ROUNDS, how often each takes the lock.
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

struct node {
    atomic_int busy;
};

struct node nodes[N + 1];
struct node *mine[N], *before[N];
_Atomic(struct node *) tail = &nodes[N];

void lock(int me) {
    if (mine[me] == NULL)
        mine[me] = &nodes[me];
    atomic_store_explicit(&mine[me]->busy, 1, memory_order_relaxed);
    before[me] = atomic_exchange_explicit(&tail, mine[me], memory_order_acq_rel);
    while (atomic_load_explicit(&before[me]->busy, memory_order_acquire))
        ;
}

void unlock(int me) {
    atomic_store_explicit(&mine[me]->busy, 0, memory_order_release);
    mine[me] = before[me];
}

int shared;

void *thread(void *number) {
    int me = (int)(long)number;
    for (int i = 0; i < ROUNDS; i++) {
        lock(me);
        shared = me;
        assert(shared == me);
        unlock(me);
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
