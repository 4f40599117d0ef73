// tidex(N): the lock of Ramalhete and Correia (2016): who comes leaves its number at the entrance, and waits until the
// number that it found there has left by the exit. A number that just left is used negated. Abdulla et al. 2018, Table 8.
// Parameters: N threads; ROUNDS, how often each takes the lock.
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

atomic_int entrance, leaving;
int used[N];

void lock(int me) {
    int number = me + 1;
    if (atomic_load_explicit(&leaving, memory_order_relaxed) == number)
        number = -number;
    int before = atomic_exchange_explicit(&entrance, number, memory_order_acq_rel);
    while (atomic_load_explicit(&leaving, memory_order_acquire) != before)
        ;
    used[me] = number;
}

void unlock(int me) {
    atomic_store_explicit(&leaving, used[me], memory_order_release);
}

int shared;

void *thread(void *number) {
    int me = (int)(long)number;
    for (int i = 0; i < ROUNDS; i++) {
        lock(me);
        shared = me;
        assert(shared == me);
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
