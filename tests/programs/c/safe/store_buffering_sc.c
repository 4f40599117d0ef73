// Store buffering with sc accesses: of the four pairs of values, 0 and 0 is not allowed.
// executions: rc11 3, sc 3, tso 4, x86 3, ra 4
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *first(void *unused) {
    atomic_store(&x, 1);
    atomic_load(&y);
    return NULL;
}

void *second(void *unused) {
    atomic_store(&y, 1);
    atomic_load(&x);
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
