// Two exchanges: the second one gets what the first one put.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *thread(void *number) {
    int mine = (int)(long)number;
    int before = atomic_exchange(&x, mine);
    assert(before == 0 || before == 3 - mine);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, (void *)1L);
    pthread_create(&t[1], NULL, thread, (void *)2L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
