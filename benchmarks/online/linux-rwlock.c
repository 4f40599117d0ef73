// linuxrwlocks: readers take 1 from a number, writers all of it; who does not get the lock goes on without it.
#include "common.h"

#define ALL 1000
static atomic_int left = ALL, data[4];

static void *work(void *number) {
    long me = (long)number;
    for (int i = 0; i < N; i++) {
        int mine = me % 2 ? ALL : 1;
        if (ADD(left, -mine) - mine >= 0)
            for (int n = 0; n < 4; n++)
                if (me % 2)
                    STORE(data[n], i);
                else
                    LOAD(data[n]);
        ADD(left, mine);
    }
    return NULL;
}

int main(void) { all_do(work); }
