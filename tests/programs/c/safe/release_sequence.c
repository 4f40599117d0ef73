// An update in between keeps the release sequence: the reader of the update sees the data. The reader sees 0, the
// store, or the update of it; the update reads 0 or the store. If it reads 0, the reader sees 0, 1 (of the update) or 2
// (of the store): 3. If it reads the store, the reader sees 0, 2 or 3: 3.
// executions: rc11 6, sc 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int x;

void *sender(void *unused) {
    data = 42;
    atomic_store_explicit(&x, 2, memory_order_release);
    return NULL;
}

void *between(void *unused) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

void *receiver(void *unused) {
    if (atomic_load_explicit(&x, memory_order_acquire) >= 2)
        assert(data == 42);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, sender, NULL);
    pthread_create(&t[1], NULL, between, NULL);
    pthread_create(&t[2], NULL, receiver, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
