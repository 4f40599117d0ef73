// spsc-queue(N): a linked queue with one producer and one consumer, who waits for items. Abdulla et al. 2018, Table 7 has one whose
// consumer sleeps on a signal that can be lost (SLEEPS): then it waits for ever. Tunç et al. 2023, Table 2 as spsc.
// Parameters: N items; SLEEPS.
#include "common.h"

#ifndef N
#define N 3
#endif

struct node {
    _Atomic(struct node *) next;
    int item;
};

struct node *head, *tail; // the consumer's and the producer's
#ifdef SLEEPS
// Who sleeps tells so, and looks once more before it sleeps; both are weaker than they must be.
atomic_int sleeps, wakes;

void wake(void) {
    if (LOAD(sleeps))
        STORE(wakes, 1);
}

struct node *next_of(struct node *node) {
    struct node *next = LOAD(node->next);
    if (next != NULL)
        return next;
    STORE(sleeps, 1);
    if ((next = LOAD(node->next)) == NULL) {
        while (!LOAD(wakes))
            ;
        STORE(wakes, 0);
        while ((next = LOAD(node->next)) == NULL)
            ;
    }
    STORE(sleeps, 0);
    return next;
}
#else
void wake(void) {}

struct node *next_of(struct node *node) {
    struct node *next;
    while ((next = LOAD(node->next)) == NULL)
        ;
    return next;
}
#endif

void *producer(void *unused) {
    for (int i = 0; i < N; i++) {
        struct node *node = malloc(sizeof *node);
        atomic_init(&node->next, NULL);
        node->item = i;
        STORE(tail->next, node);
        tail = node;
        wake();
    }
    return NULL;
}

void *consumer(void *unused) {
    for (int i = 0; i < N; i++) {
        struct node *next = next_of(head);
        assert(next->item == i);
        free(head);
        head = next;
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    head = tail = malloc(sizeof *head);
    atomic_init(&head->next, NULL);
    pthread_create(&t[0], NULL, producer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    free(head);
    return 0;
}
