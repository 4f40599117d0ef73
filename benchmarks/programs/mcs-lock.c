// mcs-lock(N): the queue lock of Mellor-Crummey and Scott: each waits at a flag of its own node. Abdulla et al. 2018, Table 7; Tunç
// et al. 2023, Tables 1 and 3.
// Parameters: N threads; ROUNDS, how often each takes the lock.
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};

struct node nodes[N];
_Atomic(struct node *) tail;

void lock(struct node *mine) {
    atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&mine->waits, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    if (before == NULL)
        return;
    atomic_store_explicit(&before->next, mine, memory_order_release);
    while (atomic_load_explicit(&mine->waits, memory_order_acquire))
        ;
}

void unlock(struct node *mine) {
    struct node *after = atomic_load_explicit(&mine->next, memory_order_acquire);
    if (after == NULL) {
        struct node *expected = mine;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_acq_rel, memory_order_relaxed))
            return;
        while ((after = atomic_load_explicit(&mine->next, memory_order_acquire)) == NULL)
            ;
    }
    atomic_store_explicit(&after->waits, 0, memory_order_release);
}

int shared;

void *thread(void *number) {
    int me = (int)(long)number;
    for (int i = 0; i < ROUNDS; i++) {
        lock(&nodes[me]);
        shared = me;
        assert(shared == me);
        unlock(&nodes[me]);
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
