// mcs-lock: each thread has a node in the queue of those that wait for the lock.
#include "common.h"

static atomic_int tail, next[K + 1], waits[K + 1], shared;

static void *work(void *number) {
    int me = (int)(long)number + 1;
    for (int i = 0; i < N; i++) {
        STORE(next[me], 0);
        int before = EXCHANGE(tail, me);
        if (before) {
            STORE(waits[me], 1);
            STORE(next[before], me);
            while (LOAD(waits[me]))
                ;
        }
        atomic_store_explicit(&shared, atomic_load_explicit(&shared, memory_order_relaxed) + 1, memory_order_relaxed);
        int after = LOAD(next[me]), expected = me;
        if (!after) {
            if (CAS(tail, &expected, 0))
                continue;
            while (!(after = LOAD(next[me])))
                ;
        }
        STORE(waits[after], 0);
    }
    return NULL;
}

int main(void) { all_do(work); }
