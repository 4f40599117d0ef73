// A flag that is relaxed does not hand the data over.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *first(void *unused) {
    data = 1; // wrong
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

void *second(void *unused) {
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        ;
    return data ? unused : NULL; // wrong
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
