// A field of the null pointer is written: the queue can be empty.
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int item;
    struct node *next;
};

_Atomic(struct node *) head;
struct node only;

void *first(void *unused) {
    atomic_store_explicit(&head, &only, memory_order_release);
    return NULL;
}

void *second(void *unused) {
    struct node *seen = atomic_load_explicit(&head, memory_order_acquire);
    seen->next = NULL; // wrong
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
