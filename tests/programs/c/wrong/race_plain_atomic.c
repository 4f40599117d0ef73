// A data race between a plain write and an atomic read of one and the same place.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *first(void *unused) {
    *(int *)&x = 1; // wrong
    return NULL;
}

void *second(void *unused) {
    atomic_load(&x); // wrong
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
