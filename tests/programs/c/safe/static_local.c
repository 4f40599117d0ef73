// A function with a static counter gives two threads different numbers, in either order.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int next(void) {
    static atomic_int counter = 10;
    return atomic_fetch_add(&counter, 1);
}

int got[2];

void *thread(void *number) {
    got[(long)number] = next();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, (void *)0L);
    pthread_create(&t[1], NULL, thread, (void *)1L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(got[0] != got[1] && got[0] + got[1] == 21);
    return 0;
}
