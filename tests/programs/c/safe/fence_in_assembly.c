// Fences as older programs have them: mfence, and an update of the stack that changes nothing.
// executions: rc11 3, sc 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static int turn(atomic_int *mine, atomic_int *other, int old) {
    atomic_store_explicit(mine, 1, memory_order_relaxed);
    if (old)
        __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    else
        __asm__ __volatile__("mfence" ::: "memory");
    __asm__ __volatile__("" ::: "memory");
    return atomic_load_explicit(other, memory_order_relaxed);
}

void *thread(void *unused) { return (void *)(long)turn(&x, &y, 1); }

int main(void) {
    pthread_t t;
    void *seen;
    pthread_create(&t, NULL, thread, NULL);
    int own = turn(&y, &x, 0);
    pthread_join(t, &seen);
    assert(own || seen);
    return 0;
}
