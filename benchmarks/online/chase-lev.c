// chase-lev without its fences: the owner pushes and takes at the bottom, the others steal from the top.
#include "common.h"

static atomic_int top, bottom;

static void *work(void *number) {
    for (int i = 0; i < N; i++) {
        if (number) {
            int t = LOAD(top);
            if (t < LOAD(bottom))
                CAS(top, &t, t + 1);
            continue;
        }
        int b = atomic_load_explicit(&bottom, memory_order_relaxed);
        if (i % 3) {
            STORE(bottom, b + 1);
            continue;
        }
        STORE(bottom, b - 1);
        int t = LOAD(top);
        if (t >= b - 1) {
            if (t == b - 1)
                CAS(top, &t, t + 1);
            STORE(bottom, b);
        }
    }
    return NULL;
}

int main(void) { all_do(work); }
