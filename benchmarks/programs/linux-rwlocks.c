// linux-rwlocks(N): a lock for readers and writers in one counter. A reader takes 1 of it, a writer all; who finds too
// little gives it back and waits. Abdulla et al. 2018, Table 6 (Linux_lock); Tunç et al. 2023, Table 1.
// Parameters: N threads, each a reader and then a writer.
#include "common.h"

#ifndef N
#define N 2
#endif
#define ALL 0x100000

atomic_int left = ALL;
int shared;

void read_lock(void) {
    while (atomic_fetch_sub_explicit(&left, 1, memory_order_acquire) <= 0) {
        atomic_fetch_add_explicit(&left, 1, memory_order_relaxed);
        while (atomic_load_explicit(&left, memory_order_relaxed) <= 0)
            ;
    }
}

void read_unlock(void) {
    atomic_fetch_add_explicit(&left, 1, memory_order_release);
}

void write_lock(void) {
    while (atomic_fetch_sub_explicit(&left, ALL, memory_order_acquire) != ALL) {
        atomic_fetch_add_explicit(&left, ALL, memory_order_relaxed);
        while (atomic_load_explicit(&left, memory_order_relaxed) != ALL)
            ;
    }
}

void write_unlock(void) {
    atomic_fetch_add_explicit(&left, ALL, memory_order_release);
}

void *thread(void *number) {
    int me = (int)(long)number;
    read_lock();
    assert(shared >= 0);
    read_unlock();
    write_lock();
    shared = me;
    assert(shared == me);
    write_unlock();
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
