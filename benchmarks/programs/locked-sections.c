// locked-sections(N): N threads enter M critical sections each. Section k of a thread takes lock k mod LOCKS, and
// counts at a cell that all threads share. With -DOWN each thread counts at a cell of its own, so that nobody can tell
// in which order the sections came; with -DREADS the sections only read.
// Parameters: N threads, M sections, LOCKS mutexes, OWN, READS. With -DATOMIC an atomic add is in the place of a section.
#include "common.h"

#ifndef N
#define N 4
#endif
#ifndef M
#define M 2
#endif
#ifndef LOCKS
#define LOCKS 1
#endif
#ifdef OWN
#define CELL(k, t) cell[k][t]
#else
#define CELL(k, t) cell[k][0]
#endif

pthread_mutex_t lock[LOCKS];
int cell[LOCKS][N];
atomic_int counter[LOCKS];

void *worker(void *number) {
    int t = (int)(long)number, seen = 0;
    for (int k = 0; k < M; k++) {
#ifdef ATOMIC
        ADD(counter[k % LOCKS], 1);
#else
        pthread_mutex_lock(&lock[k % LOCKS]);
#ifdef READS
        seen += CELL(k % LOCKS, t);
#else
        CELL(k % LOCKS, t)++;
#endif
        pthread_mutex_unlock(&lock[k % LOCKS]);
#endif
    }
    return (void *)(long)seen;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
