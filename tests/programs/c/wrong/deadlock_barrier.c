// A barrier for three at which only two threads arrive.
#include <pthread.h>

pthread_barrier_t b;

void *first(void *unused) {
    pthread_barrier_wait(&b);
    return NULL;
}

void *second(void *unused) {
    pthread_barrier_wait(&b);
    return NULL;
}

int main(void) {
    pthread_t a, d;
    pthread_barrier_init(&b, NULL, 3);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&d, NULL, second, NULL);
    pthread_join(a, NULL); // wrong: it never ends
    pthread_join(d, NULL);
    return 0;
}
