// Two threads take two mutexes in different orders.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n); // wrong
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return NULL;
}

void *second(void *unused) {
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m); // wrong
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
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
