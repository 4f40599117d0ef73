// Store buffering with release and acquire: all four pairs of values, but under sc not 0 and 0.
// executions: rc11 4, ra 4, tso 4, sc 3
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *first(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_load_explicit(&y, memory_order_acquire);
    return NULL;
}

void *second(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_load_explicit(&x, memory_order_acquire);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
