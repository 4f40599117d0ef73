// Two threads push to Treiber's stack; main pops and frees after it joined them. Either is first (2); the other saw the
// empty stack and failed once, or did not (2).
// executions: rc11 4, sc 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int item;
    struct node *next;
};

_Atomic(struct node *) top;

void *push(void *number) {
    struct node *mine = malloc(sizeof *mine);
    mine->item = (int)(long)number;
    mine->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &mine->next, mine, memory_order_acq_rel, memory_order_relaxed))
        ;
    return NULL;
}

int drain(void) {
    int sum = 0;
    struct node *node = atomic_load(&top);
    while (node != NULL) {
        struct node *next = node->next;
        sum += node->item;
        free(node);
        node = next;
    }
    return sum;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, push, (void *)1L);
    pthread_create(&t[1], NULL, push, (void *)2L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(drain() == 3);
    return 0;
}
