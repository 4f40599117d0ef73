// chase-lev(N): the deque of Chase and Lev with the fences of Le, Pop, Cohen and Zappa Nardelli (2013): its owner pushes
// and takes at the bottom, thieves steal from the top. Without the seq_cst fences (WEAK) an item is taken twice. Abdulla
// et al. 2018, Table 7; Tunç et al. 2023, Table 1.
// Parameters: N thieves; ITEMS that the owner pushes; TAKES by the owner; WEAK.
#include "common.h"

#ifndef N
#define N 1
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef TAKES
#define TAKES 2
#endif
#define EMPTY -1
#ifdef WEAK
#define FENCE() atomic_thread_fence(memory_order_acq_rel)
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

atomic_int top, bottom, items[ITEMS];
atomic_int taken[ITEMS];

void push(int item) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&items[b % ITEMS], item, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

int take(void) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    FENCE();
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    int item = EMPTY;
    if (t <= b) {
        item = atomic_load_explicit(&items[b % ITEMS], memory_order_relaxed);
        if (t < b)
            return item;
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
            item = EMPTY;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return item;
}

int steal(void) {
    int t = atomic_load_explicit(&top, memory_order_acquire);
    FENCE();
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return EMPTY;
    int item = atomic_load_explicit(&items[t % ITEMS], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        return EMPTY;
    return item;
}

void note(int item) {
    if (item != EMPTY)
        assert(atomic_fetch_add_explicit(&taken[item], 1, memory_order_relaxed) == 0);
}

void *thief(void *unused) {
    note(steal());
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, thief, NULL);
    for (int i = 0; i < ITEMS; i++)
        push(i);
    for (int i = 0; i < TAKES; i++)
        note(take());
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
