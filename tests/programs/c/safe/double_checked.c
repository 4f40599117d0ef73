// Double-checked initialisation by two threads. Either one initialises (2); the other sees that at once, or only once it
// has the mutex (2).
// executions: rc11 4, sc 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Atomic(int *) instance;

int *get(void) {
    int *seen = atomic_load_explicit(&instance, memory_order_acquire);
    if (seen == NULL) {
        pthread_mutex_lock(&m);
        seen = atomic_load_explicit(&instance, memory_order_relaxed);
        if (seen == NULL) {
            seen = malloc(sizeof *seen);
            *seen = 7;
            atomic_store_explicit(&instance, seen, memory_order_release);
        }
        pthread_mutex_unlock(&m);
    }
    return seen;
}

void *thread(void *unused) {
    assert(*get() == 7);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    free(atomic_load(&instance));
    return 0;
}
