// exp-bug: numbers that three threads write under a lock and without it.
#include "common.h"

static atomic_int x, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *number) {
    long me = (long)number % 3;
    for (int i = 0; i < N; i++) {
        if (me < 2) {
            pthread_mutex_lock(&mutex);
            STORE(x, me == 0);
            if (me == 0)
                STORE(y, 1);
            pthread_mutex_unlock(&mutex);
            if (me == 1 && LOAD(x) > 0) {
                STORE(y, LOAD(y) + 1);
                STORE(x, 2);
            }
        } else if (LOAD(x) > 1 && LOAD(y) != 3) {
            STORE(y, 2);
        }
    }
    return NULL;
}

int main(void) { all_do(work); }
