// Two threads increment a counter in two steps: one increment can be lost, even under sc.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *first(void *unused) {
    atomic_store(&counter, atomic_load(&counter) + 1);
    return NULL;
}

void *second(void *unused) {
    return first(unused);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&counter) == 2); // wrong
    return 0;
}
