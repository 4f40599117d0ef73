// Rounds in which each writes a letter to each, and then takes a letter of each.
#include "common.h"

static atomic_int letters[K][K];

static void *work(void *number) {
    long me = (long)number;
    for (int i = 0; i < N; i++) {
        for (int to = 0; to < K; to++)
            STORE(letters[me][to], i);
        for (int from = 0; from < K; from++)
            LOAD(letters[from][me]);
    }
    return NULL;
}

int main(void) { all_do(work); }
