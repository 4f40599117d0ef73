// An atomic section is entered by one thread at a time, in either order.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int counter;

void *thread(void *unused) {
    __VERIFIER_atomic_begin();
    counter++;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, NULL);
    pthread_create(&t[1], NULL, thread, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 2);
    return 0;
}
