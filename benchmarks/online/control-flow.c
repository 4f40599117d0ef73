// control-flow, again and again: what two threads do depends on what they read; of the others half read x, half
// write y.
#include "common.h"

static atomic_int x, y, z;

static void *work(void *number) {
    long me = (long)number;
    for (int i = 0; i < N; i++) {
        if (me == 0) {
            if (LOAD(y) == 0)
                STORE(z, 1);
        } else if (me == 1) {
            if (LOAD(z) == 1 && LOAD(y) == 0)
                STORE(x, 1);
        } else if (me % 2) {
            LOAD(x);
        } else {
            STORE(y, i);
        }
    }
    return NULL;
}

int main(void) { all_do(work); }
