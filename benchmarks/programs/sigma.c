// sigma(N): for each of N threads main increments an index and starts the thread, which stores 1 to the place that it
// finds the index at. N! executions: thread t sees one of N - t values. Abdulla et al. 2018, Tables 3 and 5; Tunç et al. 2023, Table 1.
// Parameters: N threads.
#include "common.h"

#ifndef N
#define N 5
#endif

atomic_int array[N];
atomic_int array_index = -1;

void *thread(void *unused) {
    STORE(array[LOAD(array_index)], 1);
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) {
        ADD(array_index, 1);
        pthread_create(&t[i], NULL, thread, NULL);
    }
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
