// An atomic structure of 12 bytes: the compiler makes it one of 16. It is seen as a whole.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct triple {
    int a, b, c;
};

_Atomic struct triple shared;

void *writer(void *unused) {
    struct triple new = {1, 2, -3};
    atomic_store(&shared, new);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    struct triple seen = atomic_load(&shared);
    assert((seen.a == 1 && seen.b == 2 && seen.c == -3) || (seen.a == 0 && seen.b == 0 && seen.c == 0));
    pthread_join(t, NULL);
    return 0;
}
