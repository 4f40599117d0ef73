// clh-rwlock(N): a lock for readers and writers on top of a CLH queue: a writer keeps its place in the queue until the
// readers have left, a reader lets the next one in at once and counts itself. Abdulla et al. 2018, Table 8 (CLH_rwlock_c11).
// Parameters: N threads: the first writes, the others read.
#include "common.h"

#ifndef N
#define N 3
#endif

struct node {
    atomic_int busy;
};

struct node nodes[N + 1];
_Atomic(struct node *) tail = &nodes[N];
atomic_int readers;
int shared;

void enter(struct node *mine) {
    atomic_store_explicit(&mine->busy, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    while (atomic_load_explicit(&before->busy, memory_order_acquire))
        ;
}

void leave(struct node *mine) {
    atomic_store_explicit(&mine->busy, 0, memory_order_release);
}

void *writer(void *number) {
    struct node *mine = &nodes[(long)number];
    enter(mine);
    while (atomic_load_explicit(&readers, memory_order_acquire) != 0)
        ;
    shared = 1;
    leave(mine);
    return NULL;
}

void *reader(void *number) {
    struct node *mine = &nodes[(long)number];
    enter(mine);
    atomic_fetch_add_explicit(&readers, 1, memory_order_relaxed);
    leave(mine);
    assert(shared == 0 || shared == 1);
    atomic_fetch_sub_explicit(&readers, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, i == 0 ? writer : reader, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
