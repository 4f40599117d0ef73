// fib-bench(N): two threads add up each other's numbers; a third checks that none is too large. Executions for N = 4,
// 5, 6: 34205, 525630, 8149694 under ra, and 19605, 218243, 2364418 under sc. Abdulla et al. 2018, Table 3; Kokologiannakis et al. 2023, Table 2.
// Parameters: N sums a thread; SC.
#include "common.h"

#ifndef N
#define N 4
#endif

atomic_int x = 1, y = 1;

void *left(void *unused) {
    for (int i = 0; i < N; i++) {
        int p = LOAD(x), q = LOAD(y);
        STORE(x, p + q);
    }
    return NULL;
}

void *right(void *unused) {
    for (int i = 0; i < N; i++) {
        int p = LOAD(x), q = LOAD(y);
        STORE(y, p + q);
    }
    return NULL;
}

// The Fibonacci number of 2(N + 1), which is the largest that can be seen.
int largest(void) {
    int a = 0, b = 1;
    for (int i = 0; i < 2 * (N + 1); i++) {
        int sum = a + b;
        a = b;
        b = sum;
    }
    return a;
}

void *check(void *unused) {
    int i = LOAD(x), j = LOAD(y);
    int bound = largest();
    assert(i <= bound && j <= bound);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, left, NULL);
    pthread_create(&t[1], NULL, right, NULL);
    pthread_create(&t[2], NULL, check, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
