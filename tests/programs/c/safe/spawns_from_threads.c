// A thread starts another one and joins it; what it wrote is seen. One execution.
// executions: rc11 1, sc 1
#include <assert.h>
#include <pthread.h>

int data;

void *inner(void *unused) {
    data = 1;
    return NULL;
}

void *outer(void *unused) {
    pthread_t t;
    pthread_create(&t, NULL, inner, NULL);
    pthread_join(t, NULL);
    assert(data == 1);
    data = 2;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, outer, NULL);
    pthread_join(t, NULL);
    assert(data == 2);
    return 0;
}
