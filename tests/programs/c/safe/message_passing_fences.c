// As message_passing, by relaxed accesses and fences.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *sender(void *unused) {
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

void *receiver(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 42);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, sender, NULL);
    pthread_create(&t[1], NULL, receiver, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
