// C11's own threads and mutexes: two increments, in either order.
// executions: rc11 2, sc 2
#include <assert.h>
#include <threads.h>

mtx_t m;
int counter;

int thread(void *given) {
    mtx_lock(&m);
    counter++;
    mtx_unlock(&m);
    return *(int *)given;
}

int main(void) {
    thrd_t a, b;
    int one = 1, two = 2, first, second;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, thread, &one);
    thrd_create(&b, thread, &two);
    thrd_join(a, &first);
    thrd_join(b, &second);
    assert(counter == 2 && first == 1 && second == 2);
    mtx_destroy(&m);
    return 0;
}
