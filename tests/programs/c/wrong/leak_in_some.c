// A loser of a compare-exchange forgets to free what it made.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) shared;

void *first(void *unused) {
    int *mine = malloc(sizeof *mine); // wrong
    int *none = NULL;
    *mine = 1;
    atomic_compare_exchange_strong(&shared, &none, mine);
    return NULL;
}

void *second(void *unused) {
    return first(unused);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&shared));
    return 0;
}
