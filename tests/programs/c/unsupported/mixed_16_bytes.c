// Half of an atomic pair is read while the pair is exchanged: no model here explains it.
// refused: mixed-size access
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long a, b;
};

_Atomic struct pair shared;

void *first(void *unused) {
    struct pair one = {1, 1};
    atomic_store(&shared, one);
    return NULL;
}

void *second(void *unused) {
    atomic_load((atomic_long *)&shared); // here
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
