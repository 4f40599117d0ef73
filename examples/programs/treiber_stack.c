// Treiber's stack: two threads push, one pops. A node is handed over by the compare-exchange of `top`: if that
// does not release it, or the pop does not acquire it, its plain value races.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef PUSH
#define PUSH memory_order_release
#endif

struct node {
    int value;
    struct node *next;
};
static _Atomic(struct node *) top;

static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &n->next, n, PUSH, memory_order_relaxed))
        ;
}

static int pop(void) {
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n && !atomic_compare_exchange_weak_explicit(&top, &n, n->next, memory_order_acquire, memory_order_acquire))
        ;
    return n ? n->value : 0;
}

static void *pusher(void *value) {
    push((int)(long)value);
    return NULL;
}

static void *popper(void *unused) {
    int value = pop();
    assert(value == 0 || value == 1 || value == 2);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, pusher, (void *)1L);
    pthread_create(&b, NULL, pusher, (void *)2L);
    pthread_create(&c, NULL, popper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
}
