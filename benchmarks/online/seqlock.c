// seqlock: two threads make a counter odd, write, and make it even again; the others read, and do not try twice.
#include "common.h"

static atomic_int counter, data[4];

static void *work(void *number) {
    long me = (long)number;
    for (int i = 0; i < N; i++) {
        int seen = LOAD(counter);
        if (seen & 1)
            continue;
        if (me < 2) {
            if (!CAS(counter, &seen, seen + 1))
                continue;
            for (int n = 0; n < 4; n++)
                STORE(data[n], i);
            STORE(counter, seen + 2);
        } else {
            for (int n = 0; n < 4; n++)
                LOAD(data[n]);
            LOAD(counter);
        }
    }
    return NULL;
}

int main(void) { all_do(work); }
