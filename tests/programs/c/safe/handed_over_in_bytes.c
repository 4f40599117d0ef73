// A word is written byte after byte, and handed over by release and acquire.
// executions: rc11 2, sc 2, tso 2, ra 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint64_t word;
atomic_int ready;

void *sender(void *unused) {
    for (int i = 0; i < 8; i++) ((char *)&word)[i] = i;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

void *receiver(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(atomic_fetch_add(&word, 1) == 0x0706050403020100);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
