// locked-map(N): N threads insert M keys of their own into a hash map under one mutex, and look up a key of another
// thread. Sections of different places of the map commute.
// Parameters: N threads, M insertions of each.
#include "common.h"

#ifndef N
#define N 3
#endif
#ifndef M
#define M 2
#endif
#define PLACES (N * M)

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int map[PLACES];

void insert(int key) {
    pthread_mutex_lock(&lock);
    map[key % PLACES] = key + 1;
    pthread_mutex_unlock(&lock);
}

int contains(int key) {
    pthread_mutex_lock(&lock);
    int found = map[key % PLACES] == key + 1;
    pthread_mutex_unlock(&lock);
    return found;
}

void *client(void *number) {
    int t = (int)(long)number;
    for (int k = 0; k < M; k++)
        insert(t * M + k);
    return (void *)(long)contains((t + 1) % N * M);
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, client, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
