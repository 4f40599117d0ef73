// treiber-stack(N): Treiber's stack: push and pop change the top by compare-exchange. Each node is used once, so that
// no address comes back. Tunç et al. 2023, Tables 1 and 3.
// Parameters: WRITERS, READERS, and BOTH threads that push and then pop.
#include "common.h"

#ifndef WRITERS
#define WRITERS 0
#endif
#ifndef READERS
#define READERS 0
#endif
#ifndef BOTH
#define BOTH 2
#endif
#define THREADS (WRITERS + READERS + BOTH)

struct node {
    int value;
    struct node *next;
};

_Atomic(struct node *) top;
struct node nodes[THREADS];

void push(struct node *mine, int value) {
    mine->value = value;
    mine->next = atomic_load_explicit(&top, memory_order_acquire);
    while (!atomic_compare_exchange_strong_explicit(&top, &mine->next, mine, memory_order_acq_rel, memory_order_acquire))
        ;
}

// The value on top, or 0 if there is none.
int pop(void) {
    struct node *seen = atomic_load_explicit(&top, memory_order_acquire);
    while (seen != NULL)
        if (atomic_compare_exchange_strong_explicit(&top, &seen, seen->next, memory_order_acq_rel, memory_order_acquire))
            return seen->value;
    return 0;
}

void *writer(void *number) {
    push(&nodes[(long)number], 1);
    return NULL;
}

void *reader(void *unused) {
    pop();
    return NULL;
}

void *both(void *number) {
    push(&nodes[(long)number], 1);
    assert(pop() == 1);
    return NULL;
}

int main(void) {
    pthread_t t[THREADS];
    long n = 0;
    for (int i = 0; i < WRITERS; i++, n++)
        pthread_create(&t[n], NULL, writer, (void *)n);
    for (int i = 0; i < READERS; i++, n++)
        pthread_create(&t[n], NULL, reader, (void *)n);
    for (int i = 0; i < BOTH; i++, n++)
        pthread_create(&t[n], NULL, both, (void *)n);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
