// reach_error of the competition on software verification.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) { abort(); } // wrong

atomic_int x;

void __VERIFIER_assert(int condition) {
    if (!condition)
        reach_error();
}

void *first(void *unused) {
    atomic_fetch_add(&x, 1);
    return NULL;
}

void *second(void *unused) {
    __VERIFIER_assert(atomic_load(&x) == 0);
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
