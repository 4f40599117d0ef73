// Arrays at the end of structures, whose elements are narrower than what stands before them: new style and old.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    atomic_size_t size;
    atomic_int buffer[];
} array;

typedef struct {
    atomic_size_t size;
    atomic_int buffer[1];
} old_array;

array *shared;

static array *make(size_t size) {
    array *a = calloc(1, size * sizeof(atomic_int) + sizeof(array));
    atomic_store_explicit(&a->size, size, memory_order_relaxed);
    for (size_t i = 0; i < size; i++)
        atomic_store_explicit(&a->buffer[i % size], 3, memory_order_relaxed);
    return a;
}

void *thread(void *unused) {
    atomic_store_explicit(&shared->buffer[3], 4, memory_order_relaxed);
    return NULL;
}

int main(void) {
    old_array *old = calloc(1, sizeof(old_array) + 3 * sizeof(atomic_int));
    atomic_store(&old->size, 4);
    for (int i = 0; i < 4; i++)
        atomic_store(&old->buffer[i], i);
    assert(old->size == 4 && old->buffer[2] == 2);
    shared = make(4);
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    int seen = atomic_load_explicit(&shared->buffer[3], memory_order_relaxed);
    assert(seen == 3 || seen == 4);
    pthread_join(t, NULL);
    assert(shared->size == 4 && shared->buffer[3] == 4);
    return 0;
}
