// Transactions in the manner of silo, which the paper only names: each reads two rows, and writes one of them if their
// versions are what they were.
#include "common.h"

#define ROWS 64
static atomic_int version[ROWS], row[ROWS];

static void *work(void *number) {
    long me = (long)number;
    for (int i = 0; i < N; i++) {
        int a = (int)((i * 7 + me * 13) % ROWS), b = (int)((i * 5 + me * 3 + 1) % ROWS);
        int before = LOAD(version[a]), other = LOAD(version[b]);
        if ((before | other) & 1)
            continue;
        int sum = LOAD(row[a]) + LOAD(row[b]);
        if (!CAS(version[a], &before, before + 1))
            continue;
        if (LOAD(version[b]) == other || a == b)
            STORE(row[a], sum % 1000 + 1);
        STORE(version[a], before + 2);
    }
    return NULL;
}

int main(void) { all_do(work); }
