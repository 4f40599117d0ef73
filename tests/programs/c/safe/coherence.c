// Two loads of one variable do not go back: 0 0, 0 1 or 1 1.
// executions: rc11 3, sc 3, relaxed 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_char x;

void *writer(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

void *reader(void *unused) {
    char a = atomic_load_explicit(&x, memory_order_relaxed);
    char b = atomic_load_explicit(&x, memory_order_relaxed);
    assert(a <= b);
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
