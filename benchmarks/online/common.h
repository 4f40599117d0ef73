// What the programs of test_online.py share: K threads that each do N rounds, release and acquire accesses, and a main
// that only starts and joins.
#ifndef ONLINE_H
#define ONLINE_H

#include "../programs/common.h"

#ifndef K
#define K 8
#endif
#ifndef N
#define N 8
#endif

static inline void all_do(void *(*work)(void *)) {
    pthread_t t[K];
    for (long i = 0; i < K; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < K; i++)
        pthread_join(t[i], NULL);
}

#endif
