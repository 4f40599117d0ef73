// Executions in which the assumption is false do not count: x was 1.
// executions: rc11 1, sc 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

atomic_int x;

void *writer(void *unused) {
    atomic_store(&x, 1);
    return NULL;
}

void *reader(void *unused) {
    int seen = atomic_load(&x);
    __VERIFIER_assume(seen != 0);
    assert(seen == 1);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
