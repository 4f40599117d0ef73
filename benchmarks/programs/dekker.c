// dekker(N): Dekker's mutual exclusion for two threads, by flags and a turn. Right under sc; under ra both can be
// inside. Seed 002, Table 3 ("LB" is N); seed 003, Table 2 as dekker_f (FENCES); seed 000, Table 1.
// Parameters: N, how often a thread looks at the other's flag before it gives up; SC; FENCES: relaxed accesses and
// fences; CHECK: assert exclusion.
#include "common.h"

#ifndef N
#define N 3
#endif
#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#undef LOAD
#undef STORE
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, value) atomic_store_explicit(&(x), value, memory_order_relaxed)
#else
#define FENCE()
#endif

atomic_int flag[2], turn;
int shared;

void *thread(void *number) {
    int me = (int)(long)number, other = 1 - me, looks = 0;
    STORE(flag[me], 1);
    FENCE();
    while (LOAD(flag[other])) {
        if (++looks >= N)
            return NULL;
        if (LOAD(turn) != me) {
            STORE(flag[me], 0);
            while (LOAD(turn) != me)
                if (++looks >= N)
                    return NULL;
            STORE(flag[me], 1);
            FENCE();
        }
    }
    FENCE();
#ifdef CHECK
    shared = me;
    assert(shared == me);
#endif
    STORE(turn, other);
    FENCE();
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
