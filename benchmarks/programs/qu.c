// qu(N): a queue in an array: producers draw a place by fetch-and-add and fill it, consumers draw one and wait until it
// is filled. Tunç et al. 2023, Tables 1 and 3.
// Parameters: N producers, and as many consumers.
#include "common.h"

#ifndef N
#define N 2
#endif

atomic_int put_at, take_at, places[N];

void *producer(void *number) {
    STORE(places[ADD(put_at, 1)], (int)(long)number);
    return NULL;
}

void *consumer(void *unused) {
    int mine = ADD(take_at, 1), item;
    while ((item = LOAD(places[mine])) == 0)
        ;
    assert(1 <= item && item <= N);
    return NULL;
}

int main(void) {
    pthread_t t[2 * N];
    for (long i = 0; i < N; i++) {
        pthread_create(&t[2 * i], NULL, producer, (void *)(i + 1));
        pthread_create(&t[2 * i + 1], NULL, consumer, NULL);
    }
    for (int i = 0; i < 2 * N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
