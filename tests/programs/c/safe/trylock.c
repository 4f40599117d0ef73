// Two threads try a mutex. Both get it, in either order (2), or one finds that the other has it (2).
// executions: rc11 4, sc 4
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *thread(void *unused) {
    if (pthread_mutex_trylock(&m) == 0) {
        counter++;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 1 || counter == 2);
    return 0;
}
