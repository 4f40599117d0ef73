// lamport(N): Lamport's fast mutual exclusion (1987): two shared variables and a flag a thread. Under ra two threads can
// be inside. Abdulla et al. 2018, Table 3; Kokologiannakis et al. 2023, Table 2; Tunç et al. 2023, Table 1.
// Parameters: N threads; ROUNDS, how often each goes in; SC; CHECK: assert exclusion.
#include "common.h"

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

atomic_int x, y, wants[N];
int shared;

void wait_for_y(void) {
    while (LOAD(y) != 0)
        ;
}

void lock(int me) {
    for (;;) {
        STORE(wants[me], 1);
        STORE(x, me + 1);
        if (LOAD(y) != 0) {
            STORE(wants[me], 0);
            wait_for_y();
            continue;
        }
        STORE(y, me + 1);
        if (LOAD(x) == me + 1)
            return;
        STORE(wants[me], 0);
        for (int j = 0; j < N; j++)
            while (LOAD(wants[j]) != 0)
                ;
        if (LOAD(y) == me + 1)
            return;
        wait_for_y();
    }
}

void unlock(int me) {
    STORE(y, 0);
    STORE(wants[me], 0);
}

void *thread(void *number) {
    int me = (int)(long)number;
    for (int k = 0; k < ROUNDS; k++) {
        lock(me);
#ifdef CHECK
        shared = me;
        assert(shared == me);
#endif
        unlock(me);
    }
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
