// Half of the threads write one location and never look at it; the others read it.
#include "common.h"

static atomic_int x;

static void *work(void *number) {
    long me = (long)number;
    for (int i = 0; i < N; i++) {
        if (me < K / 2)
            STORE(x, i);
        else
            LOAD(x);
    }
    return NULL;
}

int main(void) { all_do(work); }
