// A stack that frees what it pops: another thread still reads it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

_Atomic(struct node *) top;

void push(void) {
    struct node *mine = malloc(sizeof *mine);
    mine->next = NULL;
    atomic_store_explicit(&top, mine, memory_order_release);
}

void pop(void) {
    struct node *seen = atomic_load_explicit(&top, memory_order_acquire);
    if (seen != NULL &&
        atomic_compare_exchange_strong_explicit(&top, &seen,
                                                seen->next, // wrong
                                                memory_order_acq_rel, memory_order_relaxed))
        free(seen); // wrong
}

void *first(void *unused) {
    pop();
    return NULL;
}

void *second(void *unused) {
    pop();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    push();
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
