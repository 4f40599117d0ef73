// szymanski(N): Szymanski's mutual exclusion for two threads, with its waiting room and door; here both threads wait in
// each of the places where the published algorithm lets only the one of higher, or lower, number wait. Under ra both can
// be inside. Executions under sc for N = 1, 2, 3: 6, 78, 1068, as in Kokologiannakis et al. 2023, Table 2. Abdulla et al. 2018, Table 3; Tunç et al. 2023,
// Table 1. Parameters: N, how often each thread goes in; SC; CHECK: assert exclusion.
#include "common.h"

#ifndef N
#define N 2
#endif

// 0 outside, 1 wants to come in, 2 waits for others to come in, 3 stands in the door, 4 inside
atomic_int flag[2];
int shared;

int in_the_door(int seen) {
    return seen == 2 || seen == 3;
}

void *thread(void *number) {
    int me = (int)(long)number, other = 1 - me;
    for (int k = 0; k < N; k++) {
        STORE(flag[me], 1);
        while (LOAD(flag[other]) >= 3)
            ;
        STORE(flag[me], 3);
        if (LOAD(flag[other]) == 1) {
            STORE(flag[me], 2);
            while (LOAD(flag[other]) != 4)
                ;
        }
        STORE(flag[me], 4);
        while (LOAD(flag[other]) >= 2)
            ;
#ifdef CHECK
        shared = me;
        assert(shared == me);
#endif
        while (in_the_door(LOAD(flag[other])))
            ;
        STORE(flag[me], 0);
    }
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
