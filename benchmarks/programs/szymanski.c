// szymanski(N): Szymanski's mutual exclusion for two threads, with the waiting room and its door. Right under sc; under
// ra both can be inside. Seed 002, Table 3 ("LB" is N); seed 003, Table 2 (SC).
// Parameters: N, how often a thread looks before it gives up at each of the waits; SC; CHECK: assert exclusion.
#include "common.h"

#ifndef N
#define N 2
#endif

// 0 outside, 1 wants to come in, 2 waits for others to come in, 3 stands in the door, 4 inside
atomic_int flag[2];
atomic_int inside;

void enter(int me) {
#ifdef CHECK
    STORE(inside, me + 1);
    assert(LOAD(inside) == me + 1);
#endif
}

void *thread(void *number) {
    int me = (int)(long)number, other = 1 - me, i;
    STORE(flag[me], 1);
    for (i = 0; i < N && LOAD(flag[other]) >= 3; i++)
        ;
    if (i == N)
        return NULL;
    STORE(flag[me], 3);
    if (LOAD(flag[other]) == 1) {
        STORE(flag[me], 2);
        for (i = 0; i < N && LOAD(flag[other]) != 4; i++)
            ;
        if (i == N)
            return NULL;
    }
    STORE(flag[me], 4);
    if (me == 1) { // the one of lower number goes first
        for (i = 0; i < N && LOAD(flag[other]) >= 2; i++)
            ;
        if (i == N)
            return NULL;
    }
    enter(me);
    if (me == 0) { // nobody stands in the door while it closes
        for (i = 0; i < N; i++) {
            int seen = LOAD(flag[other]);
            if (seen <= 1 || seen == 4)
                break;
        }
        if (i == N)
            return NULL;
    }
    STORE(flag[me], 0);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread, (void *)0L);
    pthread_create(&t[1], NULL, thread, (void *)1L);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
