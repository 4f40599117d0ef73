// sigma: each thread takes the next index, then writes at the place where it sees the index, again and again.
#include "common.h"

static atomic_int next, array[K];

static void *work(void *number) {
    ADD(next, 1);
    for (int i = 0; i < N; i++)
        STORE(array[LOAD(next) % K], i);
    return NULL;
}

int main(void) { all_do(work); }
