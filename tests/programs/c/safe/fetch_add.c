// Three atomic increments in any order: 3! executions. None is lost.
// executions: rc11 6, sc 6, relaxed 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_short x;

void *thread(void *unused) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_create(&t[2], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    assert(atomic_load(&x) == 3);
    return 0;
}
