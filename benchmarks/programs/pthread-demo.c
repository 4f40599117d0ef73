// pthread-demo(N): two threads count under a mutex, N times each. C(2N, N) executions. Abdulla et al. 2018, Table 3.
// Parameters: N iterations.
#include "common.h"

#ifndef N
#define N 4
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *worker(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        int seen = counter;
        counter = seen + 1;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, worker, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 2 * N);
    return 0;
}
