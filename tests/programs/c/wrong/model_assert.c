// MODEL_ASSERT of CDSChecker and C11Tester.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

void model_assert(bool expression, const char *file, int line);
#define MODEL_ASSERT(expression) model_assert((expression), __FILE__, __LINE__)

atomic_int x;

void *first(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

void *second(void *unused) {
    MODEL_ASSERT(atomic_load_explicit(&x, memory_order_relaxed) == 0); // wrong
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
