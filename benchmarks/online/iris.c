// A logger in the manner of iris, which the paper only names: each thread has a ring of its own, and one takes what is
// in all of them.
#include "common.h"

#define SIZE 4
static atomic_int head[K], tail[K], slots[K][SIZE];

static void *work(void *number) {
    long me = (long)number;
    for (int i = 0; i < N; i++) {
        if (me) {
            int at = atomic_load_explicit(&tail[me], memory_order_relaxed);
            if (at - LOAD(head[me]) < SIZE) {
                atomic_store_explicit(&slots[me][at % SIZE], i, memory_order_relaxed);
                STORE(tail[me], at + 1);
            }
        } else {
            for (int of = 1; of < K; of++) {
                int at = atomic_load_explicit(&head[of], memory_order_relaxed);
                if (at < LOAD(tail[of])) {
                    atomic_load_explicit(&slots[of][at % SIZE], memory_order_relaxed);
                    STORE(head[of], at + 1);
                }
            }
        }
    }
    return NULL;
}

int main(void) { all_do(work); }
