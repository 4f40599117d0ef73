// A failed try is not as if its value had been loaded at first: the first value is looked at, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *adds(void *unused) {
    atomic_fetch_add(&x, 1);
    return NULL;
}

void *tries(void *unused) {
    int old = atomic_load(&x);
    int first = old;
    while (!atomic_compare_exchange_strong(&x, &old, old + 1))
        ;
    assert(first == old);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, adds, NULL);
    pthread_create(&b, NULL, tries, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
