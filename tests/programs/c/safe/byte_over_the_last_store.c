// A byte is written over a word that two threads have stored to: the other bytes are those of either store.
// executions: rc11 2, sc 2, ra 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

_Atomic uint64_t *x;

void *first(void *unused) {
    atomic_store_explicit(x, 0x101, memory_order_relaxed);
    return NULL;
}

void *second(void *unused) {
    atomic_store_explicit(x, 0x202, memory_order_relaxed);
    return NULL;
}

int main(void) {
    x = calloc(1, sizeof *x);
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    *(char *)x = 7;
    uint64_t value = *x;
    assert(value == 0x107 || value == 0x207);
    free(x);
    return 0;
}
