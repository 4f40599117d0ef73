// Tickets are drawn in either order, and each waits for its own.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket, now_serving;
int shared;

void *thread(void *unused) {
    unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine)
        ;
    shared++;
    atomic_store_explicit(&now_serving, mine + 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(shared == 2);
    return 0;
}
