// One of two threads forgets the mutex.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *first(void *unused) {
    pthread_mutex_lock(&m);
    counter++; // wrong
    pthread_mutex_unlock(&m);
    return NULL;
}

void *second(void *unused) {
    counter = 7; // wrong
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
