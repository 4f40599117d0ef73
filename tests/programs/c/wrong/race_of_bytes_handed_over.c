// A word is written byte after byte, and handed over without acquire.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint64_t word;
atomic_int ready;

void *sender(void *unused) {
    for (int i = 0; i < 8; i++)
        ((char *)&word)[i] = i; // wrong
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

void *receiver(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        atomic_fetch_add(&word, 1); // wrong
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
