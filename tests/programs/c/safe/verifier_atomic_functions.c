// A function whose name begins with __VERIFIER_atomic_ is one step, also when another such function calls it.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>

int counter;

void __VERIFIER_atomic_add(int n) { counter += n; }

void __VERIFIER_atomic_twice(void) {
    __VERIFIER_atomic_add(1);
    __VERIFIER_atomic_add(1);
}

void *thread(void *unused) {
    __VERIFIER_atomic_twice();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    __VERIFIER_atomic_add(3);
    pthread_join(t, NULL);
    assert(counter == 5);
    return 0;
}
