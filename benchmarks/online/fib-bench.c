// fib-bench: half of the threads add y to x, the others x to y.
#include "common.h"

static atomic_int x = 1, y = 1;

static void *work(void *number) {
    for (int i = 0; i < N; i++) {
        int sum = (LOAD(x) + LOAD(y)) % 1000;
        if ((long)number % 2)
            STORE(x, sum);
        else
            STORE(y, sum);
    }
    return NULL;
}

int main(void) { all_do(work); }
