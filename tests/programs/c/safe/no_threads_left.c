// main ends without joining: the other thread still runs to its end, and sees 0 or 1.
// executions: rc11 2, sc 2
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *reader(void *unused) {
    atomic_load(&x);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    atomic_store(&x, 1);
    return 0;
}
