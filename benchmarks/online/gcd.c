// gcd: one takes b from a while a is greater, another one a from b; then they begin anew.
#include "common.h"

static atomic_int a = 40, b = 24;

static void *work(void *number) {
    for (int i = 0; i < N; i++) {
        int x = LOAD(a), y = LOAD(b);
        if ((long)number % 2 ? x > y : y > x) {
            if ((long)number % 2)
                STORE(a, x - y);
            else
                STORE(b, y - x);
        } else if (x == y && (long)number == 0) {
            STORE(a, 40);
            STORE(b, 24);
        }
    }
    return NULL;
}

int main(void) { all_do(work); }
