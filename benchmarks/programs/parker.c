// parker(N): a thread parks until another unparks it: a permit that is given and taken, under a mutex where somebody may
// sleep. All accesses are sequentially consistent. Kokologiannakis et al. 2023, Table 2.
// Parameters: N, how often one parks and the other unparks.
#define SC 1
#include "common.h"

#ifndef N
#define N 1
#endif

atomic_int permit, awake;
atomic_int mutex;
atomic_int work;

int try_lock(void) {
    int expected = 0;
    return CAS(mutex, &expected, 1);
}

void lock(void) {
    while (!try_lock())
        ;
}

void unlock(void) {
    STORE(mutex, 0);
}

void park(void) {
    if (EXCHANGE(permit, 0) > 0)
        return;
    if (!try_lock())
        return;
    if (LOAD(permit) > 0) {
        STORE(permit, 0);
        unlock();
        return;
    }
    STORE(awake, 0);
    unlock();
    while (LOAD(awake) == 0) // sleeps
        ;
    lock();
    STORE(permit, 0);
    unlock();
}

void unpark(void) {
    lock();
    int before = LOAD(permit);
    STORE(permit, 1);
    unlock();
    if (before < 1)
        STORE(awake, 1);
}

void *sleeper(void *unused) {
    for (int i = 0; i < N; i++) {
        while (LOAD(work) <= i)
            park();
    }
    return NULL;
}

void *waker(void *unused) {
    for (int i = 0; i < N; i++) {
        ADD(work, 1);
        unpark();
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, sleeper, NULL);
    pthread_create(&t[1], NULL, waker, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
