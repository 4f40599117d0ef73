// One write of two numbers inside of a seqlock, and one attempt to read them. The first load of the counter sees 1: stop
// (1). It sees 2: all that follows is forced (1). It sees 0: the numbers are seen as 00, 01, 10 or 11; 00 leaves the last
// load 0, 1 or 2, and each other one 1 or 2 (9).
// executions: rc11 11, sc 11, ra 11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter, left, right;

void *writer(void *unused) {
    atomic_store_explicit(&counter, 1, memory_order_release);
    atomic_store_explicit(&left, 7, memory_order_release);
    atomic_store_explicit(&right, 7, memory_order_release);
    atomic_store_explicit(&counter, 2, memory_order_release);
    return NULL;
}

void *reader(void *unused) {
    int before = atomic_load_explicit(&counter, memory_order_acquire);
    if (before & 1)
        return NULL;
    int a = atomic_load_explicit(&left, memory_order_acquire);
    int b = atomic_load_explicit(&right, memory_order_acquire);
    if (atomic_load_explicit(&counter, memory_order_acquire) == before)
        assert(a == b);
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
