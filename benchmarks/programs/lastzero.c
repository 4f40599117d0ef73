// lastzero(N): writer j stores a[j] := a[j - 1] + 1; a reader looks for the last zero, from the right.
// Parameters: N writers.
#include "common.h"

#ifndef N
#define N 5
#endif

atomic_int a[N + 1];

void *reader(void *unused) {
    int i = N;
    while (LOAD(a[i]) != 0)
        i--;
    return NULL;
}

void *writer(void *number) {
    long j = (long)number;
    STORE(a[j], LOAD(a[j - 1]) + 1);
    return NULL;
}

int main(void) {
    pthread_t r, w[N];
    pthread_create(&r, NULL, reader, NULL);
    for (long j = 1; j <= N; j++)
        pthread_create(&w[j - 1], NULL, writer, (void *)j);
    pthread_join(r, NULL);
    for (int j = 0; j < N; j++)
        pthread_join(w[j], NULL);
    return 0;
}
