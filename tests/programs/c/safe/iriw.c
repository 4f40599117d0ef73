// Two writers, two readers that read both variables in different orders: 2^4 values, of which sc forbids the one where
// the readers disagree on who wrote first.
// executions: rc11 16, ra 16, sc 15
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *write_x(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_release);
    return NULL;
}

void *write_y(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_release);
    return NULL;
}

void *read_xy(void *unused) {
    atomic_load_explicit(&x, memory_order_acquire);
    atomic_load_explicit(&y, memory_order_acquire);
    return NULL;
}

void *read_yx(void *unused) {
    atomic_load_explicit(&y, memory_order_acquire);
    atomic_load_explicit(&x, memory_order_acquire);
    return NULL;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], NULL, write_x, NULL);
    pthread_create(&t[1], NULL, write_y, NULL);
    pthread_create(&t[2], NULL, read_xy, NULL);
    pthread_create(&t[3], NULL, read_yx, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    pthread_join(t[3], NULL);
    return 0;
}
