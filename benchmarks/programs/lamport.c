// lamport(N): Lamport's fast mutual exclusion (1987) for two threads: two shared variables and a flag a thread. Right
// under sc; under ra both can be inside. Seed 002, Table 3 ("LB" is N); seed 003, Table 2 (SC); seed 000, Table 1.
// Parameters: N, how often a thread tries, and how often it looks while it waits; SC; CHECK: assert exclusion.
#include "common.h"

#ifndef N
#define N 2
#endif

atomic_int x, y, wants[2];
int shared;

// Waits until y is 0; says whether that was seen in time.
int y_is_free(void) {
    for (int i = 0; i < N; i++)
        if (LOAD(y) == 0)
            return 1;
    return 0;
}

void *thread(void *number) {
    int me = (int)(long)number, id = me + 1, other = 1 - me, i;
    for (int tries = 0; tries < N; tries++) {
        STORE(wants[me], 1);
        STORE(x, id);
        if (LOAD(y) != 0) {
            STORE(wants[me], 0);
            if (!y_is_free())
                return NULL;
            continue;
        }
        STORE(y, id);
        if (LOAD(x) != id) {
            STORE(wants[me], 0);
            for (i = 0; i < N && LOAD(wants[other]) != 0; i++)
                ;
            if (i == N)
                return NULL;
            if (LOAD(y) != id) {
                if (!y_is_free())
                    return NULL;
                continue;
            }
        }
#ifdef CHECK
        shared = id;
        assert(shared == id);
#endif
        STORE(y, 0);
        STORE(wants[me], 0);
        return NULL;
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
