// mpsc(N): a mutex made of a queue with many producers and one consumer: who comes appends a node, and waits until it is
// the head. Abdulla et al. 2018, Table 8 (MPSC_c11).
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
};

struct node first;
_Atomic(struct node *) head = &first, tail = &first;

struct node *lock(void) {
    struct node *mine = malloc(sizeof *mine);
    atomic_init(&mine->next, NULL);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    atomic_store_explicit(&before->next, mine, memory_order_release);
    while (atomic_load_explicit(&head, memory_order_acquire) != before)
        ;
    return before;
}

void unlock(struct node *before) {
    struct node *mine = atomic_load_explicit(&before->next, memory_order_acquire);
    atomic_store_explicit(&head, mine, memory_order_release);
    if (before != &first)
        free(before);
}

int shared;

void *thread(void *number) {
    int me = (int)(long)number;
    for (int i = 0; i < ROUNDS; i++) {
        struct node *before = lock();
        shared = me;
        assert(shared == me);
        unlock(before);
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
