// dekker(N): Dekker's mutual exclusion for two threads, by flags and a turn. Under ra both can be inside. Executions
// under sc for N = 2, 3, 4: 71, 1344, 26797, as in Kokologiannakis et al. 2023, Table 2 (dekker_f). Abdulla et al. 2018, Table 3; Tunç et al. 2023, Table 1.
// Parameters: N, how often each thread goes in; SC; CHECK: assert exclusion.
#include "common.h"

#ifndef N
#define N 2
#endif

atomic_int flag[2], turn;
int shared;

void *thread(void *number) {
    int me = (int)(long)number, other = 1 - me;
    for (int k = 0; k < N; k++) {
        STORE(flag[me], 1);
        while (LOAD(flag[other]) == 1)
            if (LOAD(turn) != me) {
                STORE(flag[me], 0);
                while (LOAD(turn) != me)
                    ;
                STORE(flag[me], 1);
            }
#ifdef CHECK
        shared = me;
        assert(shared == me);
#endif
        STORE(turn, other);
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
