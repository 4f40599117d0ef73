// A data race between a plain write and a plain read.
#include <pthread.h>

int x;

void *first(void *unused) {
    x = 1; // wrong
    return NULL;
}

void *second(void *unused) {
    return x ? NULL : unused; // wrong
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
