// Each of two threads writes its place, and after the barrier reads the other's: nothing is left to chance.
// executions: rc11 1, sc 1
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int place[2];

void *thread(void *number) {
    int me = (int)(long)number;
    place[me] = me + 1;
    pthread_barrier_wait(&barrier);
    assert(place[1 - me] == 2 - me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t[0], NULL, thread, (void *)0L);
    pthread_create(&t[1], NULL, thread, (void *)1L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
