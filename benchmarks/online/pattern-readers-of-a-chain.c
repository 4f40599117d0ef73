// One thread makes a chain of updates; the others read it.
#include "common.h"

static atomic_int x;

static void *work(void *me) {
    for (int i = 0; i < N; i++) {
        if (me)
            LOAD(x);
        else
            ADD(x, 1);
    }
    return NULL;
}

int main(void) { all_do(work); }
