// abort is called.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;

void *first(void *unused) {
    atomic_store(&x, 1);
    return NULL;
}

void *second(void *unused) {
    if (atomic_load(&x))
        abort(); // wrong
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
