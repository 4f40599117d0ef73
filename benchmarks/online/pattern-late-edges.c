// Two threads write at length; then the others, which wait for that, read what they wrote.
#include "common.h"

static atomic_int x, done;

static void *work(void *number) {
    long me = (long)number;
    if (me < 2) {
        for (int i = 0; i < N; i++)
            STORE(x, i);
        atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
        return NULL;
    }
    while (atomic_load_explicit(&done, memory_order_relaxed) < 2)
        ;
    for (int i = 0; i < N; i++)
        atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

int main(void) { all_do(work); }
