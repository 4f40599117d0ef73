// An array on the stack that another thread sees is read before anything was written to it.
#include <pthread.h>
#include <stdatomic.h>

void *thread(void *given) {
    atomic_int *a = given;
    atomic_load(&a[1]); // wrong
    return NULL;
}

int main(void) {
    atomic_int a[2];
    pthread_t t;
    atomic_init(&a[0], 1);
    pthread_create(&t, NULL, thread, a);
    pthread_join(t, NULL);
    return 0;
}
