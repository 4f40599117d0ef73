// One thread frees what another one reads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *p;

void *first(void *unused) {
    atomic_load(p); // wrong
    return NULL;
}

void *second(void *unused) {
    free(p); // wrong
    return NULL;
}

int main(void) {
    pthread_t a, b;
    p = malloc(sizeof *p);
    atomic_init(p, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
