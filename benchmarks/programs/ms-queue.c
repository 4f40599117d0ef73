// ms-queue(N): the queue of Michael and Scott: a list with a dummy at its head, whose tail may lag behind. Each node is
// used once, so that no address comes back. Tunç et al. 2023, Tables 1 and 3.
// Parameters: WRITERS, READERS, and BOTH threads that put an item in and then take one out.
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
    _Atomic(struct node *) next;
};

struct node nodes[THREADS], dummy;
_Atomic(struct node *) head = &dummy, tail = &dummy;

int swing(_Atomic(struct node *) * place, struct node *from, struct node *to) {
    return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_acq_rel, memory_order_acquire);
}

void enqueue(struct node *mine, int value) {
    mine->value = value;
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (last != atomic_load_explicit(&tail, memory_order_acquire))
            continue;
        if (next != NULL) {
            swing(&tail, last, next);
        } else if (swing(&last->next, NULL, mine)) {
            swing(&tail, last, mine);
            return;
        }
    }
}

// The item at the head, or 0 if there is none.
int dequeue(void) {
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (first != atomic_load_explicit(&head, memory_order_acquire))
            continue;
        if (first == last) {
            if (next == NULL)
                return 0;
            swing(&tail, last, next);
        } else {
            int value = next->value;
            if (swing(&head, first, next))
                return value;
        }
    }
}

void *writer(void *number) {
    enqueue(&nodes[(long)number], 1);
    return NULL;
}

void *reader(void *unused) {
    dequeue();
    return NULL;
}

void *both(void *number) {
    enqueue(&nodes[(long)number], 1);
    assert(dequeue() == 1);
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
