// All increment one counter, and each also writes and reads a place of its own.
#include "common.h"

static atomic_int x, own[K];

static void *work(void *number) {
    long me = (long)number;
    for (int i = 0; i < N; i++) {
        ADD(x, 1);
        STORE(own[me], i);
        LOAD(own[me]);
    }
    return NULL;
}

int main(void) { all_do(work); }
