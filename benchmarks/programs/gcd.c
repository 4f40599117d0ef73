// gcd(N): one thread takes b from a while a is greater, the other a from b. Nothing keeps them apart: what they
// compute need not be the greatest common divisor. Abdulla et al. 2018, Table 3 ("LB" is N); Tunç et al. 2023, Table 1.
// Parameters: N, how often each thread looks at both numbers; A and B, the numbers.
#include "common.h"

#ifndef N
#define N 4
#endif
#ifndef A
#define A 12
#endif
#ifndef B
#define B 18
#endif

atomic_int a = A, b = B;

void *shrink_a(void *unused) {
    for (int i = 0; i < N; i++) {
        int x = LOAD(a), y = LOAD(b);
        if (x == y)
            break;
        if (x > y)
            STORE(a, x - y);
    }
    return NULL;
}

void *shrink_b(void *unused) {
    for (int i = 0; i < N; i++) {
        int x = LOAD(a), y = LOAD(b);
        if (x == y)
            break;
        if (y > x)
            STORE(b, y - x);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, shrink_a, NULL);
    pthread_create(&t[1], NULL, shrink_b, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(LOAD(a) > 0 && LOAD(b) > 0);
    return 0;
}
