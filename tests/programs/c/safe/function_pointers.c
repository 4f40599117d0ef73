// Functions chosen from a table, and one given as an argument; two threads update in either order.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef int (*operation)(int, int);

int add(int a, int b) {
    return a + b;
}

int multiply(int a, int b) {
    return a * b;
}

const operation table[] = {add, multiply};
atomic_int total;

int apply(operation f, int a, int b) {
    return f(a, b);
}

void *thread(void *number) {
    int which = (int)(long)number;
    atomic_fetch_add(&total, apply(table[which], 3, 4));
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, (void *)0L);
    pthread_create(&t[1], NULL, thread, (void *)1L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(atomic_load(&total) == 19);
    return 0;
}
