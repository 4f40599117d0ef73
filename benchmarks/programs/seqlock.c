// seqlock(N): writers make a counter odd, write two numbers, and make it even again; readers take what they read if the
// counter was even and has not changed. Abdulla et al. 2018, Table 7; Tunç et al. 2023, Table 1.
// Parameters: N threads, each of which writes once and reads once (MIXED), or one that writes and N - 1 that read.
#include "common.h"

#ifndef N
#define N 3
#endif

atomic_int counter, first, second;

void write_both(int value) {
    int seen = atomic_load_explicit(&counter, memory_order_relaxed);
    for (;;) {
        while (seen & 1)
            seen = atomic_load_explicit(&counter, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&counter, &seen, seen + 1, memory_order_acq_rel, memory_order_relaxed))
            break;
    }
    atomic_store_explicit(&first, value, memory_order_release);
    atomic_store_explicit(&second, value, memory_order_release);
    atomic_fetch_add_explicit(&counter, 1, memory_order_release);
}

void read_both(void) {
    for (;;) {
        int before = atomic_load_explicit(&counter, memory_order_acquire);
        if (before & 1)
            continue;
        int a = atomic_load_explicit(&first, memory_order_acquire);
        int b = atomic_load_explicit(&second, memory_order_acquire);
        if (atomic_load_explicit(&counter, memory_order_relaxed) == before) {
            assert(a == b);
            return;
        }
    }
}

void *thread(void *number) {
    int me = (int)(long)number;
#ifdef MIXED
    write_both(me + 1);
    read_both();
#else
    if (me == 0)
        write_both(1);
    else
        read_both();
#endif
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
