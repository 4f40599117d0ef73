// A failed try is not as if its value had been loaded at first: then there would be no try.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *sets(void *unused) {
    atomic_store(&x, 3);
    return NULL;
}

void *tries(void *unused) {
    int old = atomic_load(&x);
    if (old != 3) {
        while (!atomic_compare_exchange_strong(&x, &old, old + 1))
            ;
        assert(old != 3);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sets, NULL);
    pthread_create(&b, NULL, tries, NULL);
    return 0;
}
