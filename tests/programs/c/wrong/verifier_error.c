// __VERIFIER_error.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_error(void);
void __VERIFIER_assume(int);

atomic_int x;

void *first(void *unused) {
    atomic_store(&x, 3);
    return NULL;
}

void *second(void *unused) {
    int seen = atomic_load(&x);
    __VERIFIER_assume(seen > 0);
    if (seen == 3)
        __VERIFIER_error(); // wrong
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
