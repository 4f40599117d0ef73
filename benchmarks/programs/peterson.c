// peterson(N): Peterson's mutual exclusion for two threads. Right under sc; under ra both can be inside. Seed 002,
// Table 3 ("LB" is N); seed 003, Table 2 (SC); seed 000, Table 1.
// Parameters: N, how often a thread looks before it gives up; SC; CHECK: assert exclusion.
#include "common.h"

#ifndef N
#define N 2
#endif

atomic_int flag[2], turn;
int shared;

void *thread(void *number) {
    int me = (int)(long)number, other = 1 - me, i;
    STORE(flag[me], 1);
    STORE(turn, other);
    for (i = 0; i < N && LOAD(flag[other]) == 1 && LOAD(turn) == other; i++)
        ;
    if (i == N)
        return NULL;
#ifdef CHECK
    shared = me;
    assert(shared == me);
#endif
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
