// A thread-local counter counts for each thread alone.
#include <assert.h>
#include <pthread.h>

_Thread_local int counter;

void *first(void *unused) {
    counter++;
    assert(counter == 2); // wrong
    return NULL;
}

void *second(void *unused) {
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
