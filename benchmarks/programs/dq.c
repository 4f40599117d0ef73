// dq(N): a deque of numbers in an array whose ends are two counters: one thread pushes at the bottom, the others take
// from the top by compare-exchange. Tunç et al. 2023, Tables 1 and 3.
// Parameters: N takers; ITEMS that are pushed.
#include "common.h"

#ifndef N
#define N 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif

atomic_int top, bottom;
int items[ITEMS];

void *pusher(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        items[i] = i + 1;
        STORE(bottom, i + 1);
    }
    return NULL;
}

void *taker(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        int seen = LOAD(top);
        if (seen >= LOAD(bottom))
            continue;
        int item = items[seen], expected = seen;
        if (CAS(top, &expected, seen + 1))
            assert(item == seen + 1);
    }
    return NULL;
}

int main(void) {
    pthread_t p, t[N];
    pthread_create(&p, NULL, pusher, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, taker, NULL);
    pthread_join(p, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
