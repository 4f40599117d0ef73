// Half of an atomic variable is read: no model here explains it.
// refused: mixed-size access
#include <pthread.h>
#include <stdatomic.h>

_Atomic long whole;

void *first(void *unused) {
    atomic_store(&whole, 1);
    return NULL;
}

void *second(void *unused) {
    atomic_load((atomic_int *)&whole); // here
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
