// A divisor can be 0, if the other thread is late.
#include <pthread.h>
#include <stdatomic.h>

atomic_int divisor;

void *first(void *unused) {
    atomic_store(&divisor, 2);
    return NULL;
}

void *second(void *unused) {
    int d = atomic_load(&divisor);
    return 10 / d == 5 ? unused : NULL; // wrong
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
