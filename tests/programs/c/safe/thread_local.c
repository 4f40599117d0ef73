// Each thread has a counter of its own: nothing is shared, so there is one execution.
// executions: rc11 1, sc 1
#include <assert.h>
#include <pthread.h>

_Thread_local int counter = 5;
static _Thread_local int table[2];

void count(void) {
    counter++;
    table[counter % 2]++;
}

void *thread(void *unused) {
    for (int i = 0; i < 4; i++)
        count();
    assert(counter == 9 && table[0] == 2 && table[1] == 2);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 5);
    return 0;
}
