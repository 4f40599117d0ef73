// correia-ramalhete(N): a lock without updates in the manner of Ramalhete and Correia, who build on Burns and Lamport:
// each thread has a state of its own. Who comes waits for those of lower number, then for those of higher. The paper
// only names the algorithm; this is the plain form, without its fairness. Under ra two can be inside. Abdulla et al. 2018, Table 6.
// Parameters: N threads; SC; CHECK: assert exclusion.
#include "common.h"

#ifndef N
#define N 3
#endif

enum { OUTSIDE, WAITING, INSIDE };
atomic_int state[N];
int shared;

// Whether nobody of lower number claims to be inside.
int first_of(int me) {
    for (int j = 0; j < me; j++)
        if (LOAD(state[j]) == INSIDE)
            return 0;
    return 1;
}

void lock(int me) {
    for (;;) {
        STORE(state[me], INSIDE);
        if (first_of(me))
            break;
        STORE(state[me], WAITING);
        for (int j = 0; j < me; j++)
            while (LOAD(state[j]) == INSIDE)
                ;
    }
    for (int j = me + 1; j < N; j++)
        while (LOAD(state[j]) == INSIDE)
            ;
}

void unlock(int me) {
    STORE(state[me], OUTSIDE);
}

void *thread(void *number) {
    int me = (int)(long)number;
    lock(me);
#ifdef CHECK
    shared = me;
    assert(shared == me);
#endif
    unlock(me);
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
