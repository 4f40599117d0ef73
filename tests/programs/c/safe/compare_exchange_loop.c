// Two threads increment by a loop around a compare-exchange. Either is first, and the other loads what it wrote. That the
// other loads 0, fails, and is told the new value goes on as if it had loaded that: such an execution is blocked.
// executions: rc11 2, sc 2, ra 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *thread(void *unused) {
    int seen = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &seen, seen + 1))
        ;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(atomic_load(&x) == 2);
    return 0;
}
