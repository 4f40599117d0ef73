// A seqlock whose reader does not order its loads: it can see half of a write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter, left, right;

void *first(void *unused) {
    atomic_store_explicit(&counter, 1, memory_order_relaxed);
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    atomic_store_explicit(&right, 1, memory_order_relaxed);
    atomic_store_explicit(&counter, 2, memory_order_release);
    return NULL;
}

void *second(void *unused) {
    int before = atomic_load_explicit(&counter, memory_order_acquire);
    int a = atomic_load_explicit(&left, memory_order_relaxed);
    int b = atomic_load_explicit(&right, memory_order_relaxed);
    int after = atomic_load_explicit(&counter, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(a == b); // wrong
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
