// exponential-bug(N): three threads, some of it under a mutex; few of the many executions read y = 3. Abdulla et al. 2018, Table
// 5; Tunç et al. 2023, Table 1. Parameters: N stores of y under the mutex.
#include "common.h"

#ifndef N
#define N 6
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int x, y;

void *first(void *unused) {
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&m);
        STORE(x, 1);
        for (int i = 0; i < N; i++)
            STORE(y, 1);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

void *second(void *unused) {
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&m);
        STORE(x, 0);
        pthread_mutex_unlock(&m);
        if (LOAD(x) > 0) {
            STORE(y, LOAD(y) + 1);
            STORE(x, 2);
        }
    }
    return NULL;
}

void *third(void *unused) {
    for (int k = 0; k < 2; k++)
        if (LOAD(x) > 1) {
            if (LOAD(y) == 3)
                return NULL;
            STORE(y, 2);
        }
    return NULL;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_create(&t[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
