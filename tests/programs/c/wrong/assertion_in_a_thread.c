// Message passing with relaxed accesses: the flag can be seen before the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, flag;

void *first(void *unused) {
    atomic_store_explicit(&data, 42, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

void *second(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 42); // wrong
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
