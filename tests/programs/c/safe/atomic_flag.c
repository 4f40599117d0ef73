// A spinlock of an atomic_flag: either thread is first. Those in which the other waits forever are blocked.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag busy = ATOMIC_FLAG_INIT;
int counter;

void *thread(void *unused) {
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
    counter++;
    atomic_flag_clear_explicit(&busy, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 2);
    return 0;
}
