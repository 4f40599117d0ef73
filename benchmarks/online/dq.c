// dq: one thread pushes at the bottom, the others take from the top by compare-exchange.
#include "common.h"

static atomic_int top, bottom;

static void *work(void *number) {
    for (int i = 1; i <= N; i++) {
        if (!number) {
            STORE(bottom, i);
        } else {
            int seen = LOAD(top);
            if (seen < LOAD(bottom))
                CAS(top, &seen, seen + 1);
        }
    }
    return NULL;
}

int main(void) { all_do(work); }
