// Two threads free one and the same object.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *first(void *unused) {
    free(p); // wrong
    return NULL;
}

void *second(void *unused) {
    free(p); // wrong
    return NULL;
}

int main(void) {
    pthread_t a, b;
    p = malloc(sizeof *p);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
