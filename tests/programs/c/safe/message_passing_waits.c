// The reader waits for the flag: in the one complete execution it sees it.
// The other, in which it never does, is blocked.
// executions: rc11 1, sc 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_bool ready;

void *sender(void *unused) {
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

void *receiver(void *unused) {
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    assert(data == 42);
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
