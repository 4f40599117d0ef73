// mpmc-queue(N): a bounded queue with many producers and consumers. One word counts the reads and writes that began, two
// more those that ended: who writes waits for the reads that began before, who reads for the writes. Abdulla et al. 2018, Table 7;
// Tunç et al. 2023, Table 1. Parameters: WRITERS, READERS, and BOTH threads that write and then read; SIZE of the ring.
#include "common.h"

#ifndef WRITERS
#define WRITERS 0
#endif
#ifndef READERS
#define READERS 0
#endif
#ifndef BOTH
#define BOTH 2
#endif
#ifndef SIZE
#define SIZE 2
#endif
#define THREADS (WRITERS + READERS + BOTH)

atomic_uint begun; // reads in the upper half, writes in the lower
atomic_uint read_done, write_done;
int ring[SIZE];

// A place to write to, or none if the ring is full.
int *write_begin(void) {
    unsigned seen = atomic_load_explicit(&begun, memory_order_acquire), reads, writes;
    do {
        reads = seen >> 16;
        writes = seen & 0xffff;
        if (writes == reads + SIZE)
            return NULL;
    } while (!atomic_compare_exchange_strong_explicit(&begun, &seen, reads << 16 | (writes + 1), memory_order_acq_rel,
                                                      memory_order_relaxed));
    while (atomic_load_explicit(&read_done, memory_order_acquire) != reads)
        ;
    return &ring[writes % SIZE];
}

void write_end(void) {
    atomic_fetch_add_explicit(&write_done, 1, memory_order_release);
}

// A place to read from, or none if the ring is empty.
int *read_begin(void) {
    unsigned seen = atomic_load_explicit(&begun, memory_order_acquire), reads, writes;
    do {
        reads = seen >> 16;
        writes = seen & 0xffff;
        if (reads == writes)
            return NULL;
    } while (!atomic_compare_exchange_strong_explicit(&begun, &seen, (reads + 1) << 16 | writes, memory_order_acq_rel,
                                                      memory_order_relaxed));
    while (atomic_load_explicit(&write_done, memory_order_acquire) != writes)
        ;
    return &ring[reads % SIZE];
}

void read_end(void) {
    atomic_fetch_add_explicit(&read_done, 1, memory_order_release);
}

void *writer(void *unused) {
    int *place = write_begin();
    if (place != NULL) {
        *place = 1;
        write_end();
    }
    return NULL;
}

void *reader(void *unused) {
    int *place = read_begin();
    if (place != NULL) {
        assert(*place == 1);
        read_end();
    }
    return NULL;
}

void *both(void *unused) {
    writer(NULL);
    reader(NULL);
    return NULL;
}

int main(void) {
    pthread_t t[THREADS];
    int n = 0;
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&t[n++], NULL, writer, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&t[n++], NULL, reader, NULL);
    for (int i = 0; i < BOTH; i++)
        pthread_create(&t[n++], NULL, both, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
