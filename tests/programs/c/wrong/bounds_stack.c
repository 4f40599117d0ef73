// A write past the end of an array on the stack that another thread sees.
#include <pthread.h>
#include <stdatomic.h>

void *thread(void *given) {
    atomic_int *a = given;
    atomic_store(&a[2], 1); // wrong
    return NULL;
}

int main(void) {
    atomic_int a[2] = {0, 0};
    pthread_t t;
    pthread_create(&t, NULL, thread, a);
    pthread_join(t, NULL);
    return 0;
}
