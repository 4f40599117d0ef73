// Three threads try to be the first: one wins, and the others see who. 3 executions.
// executions: rc11 3, sc 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int winner;

void *thread(void *number) {
    int none = 0;
    if (atomic_compare_exchange_strong(&winner, &none, (int)(long)number))
        assert(none == 0);
    else
        assert(none != 0 && none != (int)(long)number);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, thread, (void *)1L);
    pthread_create(&t[1], NULL, thread, (void *)2L);
    pthread_create(&t[2], NULL, thread, (void *)3L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
