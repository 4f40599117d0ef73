// Two threads write both variables, in different orders; main reads both after it joined them. Either can be the last
// of each: 4. Under sc the two that came first cannot both be last.
// executions: rc11 4, ra 4, sc 3
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *first(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_store_explicit(&y, 2, memory_order_release);
    return NULL;
}

void *second(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_store_explicit(&x, 2, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    atomic_load_explicit(&x, memory_order_acquire);
    atomic_load_explicit(&y, memory_order_acquire);
    return 0;
}
