// indexer(N): N threads put four numbers each into a hash table of 128 places. Up to 11 threads do not collide;
// each one more makes 8 times as many executions. Abdulla et al. 2018, Table 2; Tunç et al. 2023, Table 2.
// Parameters: N threads; LOCKS: the compare-exchange is made of a mutex for each place, as in Table 2.
#include "common.h"

#ifndef N
#define N 12
#endif
#define SIZE 128
#define NUMBERS 4

#ifdef LOCKS
int table[SIZE];
pthread_mutex_t lock[SIZE];

int put(int place, int value) {
    int done = 0;
    pthread_mutex_lock(&lock[place]);
    if (table[place] == 0) {
        table[place] = value;
        done = 1;
    }
    pthread_mutex_unlock(&lock[place]);
    return done;
}
#else
atomic_int table[SIZE];

int put(int place, int value) {
    int expected = 0;
    return CAS(table[place], &expected, value);
}
#endif

void *inserter(void *number) {
    int t = (int)(long)number;
    for (int i = 0; i < NUMBERS; i++) {
        int w = 11 * i + t;
        int h = 7 * w % SIZE;
        while (!put(h, w))
            h = (h + 1) % SIZE;
    }
    return NULL;
}

int main(void) {
    pthread_t t[N];
#ifdef LOCKS
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&lock[i], NULL);
#endif
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, inserter, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
