// A pointer is handed over after what it points to was freed.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) shared;

void *first(void *unused) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p); // wrong
    atomic_store_explicit(&shared, p, memory_order_release);
    return NULL;
}

void *second(void *unused) {
    int *p = atomic_load_explicit(&shared, memory_order_acquire);
    if (p != NULL)
        *p = 2; // wrong
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
