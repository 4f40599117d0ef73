// A recursive function, of values and of a list; two threads add what they computed, in either order.
// executions: rc11 2, sc 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_long sum;

long factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

int is_odd(int n);

int is_even(int n) {
    return n == 0 ? 1 : is_odd(n - 1);
}

int is_odd(int n) {
    return n == 0 ? 0 : is_even(n - 1);
}

void *thread(void *number) {
    int n = (int)(long)number;
    atomic_fetch_add(&sum, factorial(n));
    assert(is_even(n) == (n % 2 == 0));
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, (void *)4L);
    pthread_create(&t[1], NULL, thread, (void *)5L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(atomic_load(&sum) == 144);
    return 0;
}
