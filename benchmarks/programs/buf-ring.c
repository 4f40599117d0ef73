// buf-ring(N): a ring of slots for many producers and one consumer. A producer takes a slot by compare-exchange, fills
// it, and waits until those before it are through. Tunç et al. 2023, Tables 1 and 3.
// Parameters: N producers; SIZE of the ring, a power of two.
#include "common.h"

#ifndef N
#define N 2
#endif
#ifndef SIZE
#define SIZE 2
#endif

atomic_uint claimed, filled, emptied;
int slots[SIZE];

// Says whether there was room.
int put(int item) {
    unsigned mine = atomic_load_explicit(&claimed, memory_order_relaxed);
    do
        if (mine - atomic_load_explicit(&emptied, memory_order_acquire) == SIZE)
            return 0;
    while (!atomic_compare_exchange_strong_explicit(&claimed, &mine, mine + 1, memory_order_relaxed, memory_order_relaxed));
    slots[mine % SIZE] = item;
    while (atomic_load_explicit(&filled, memory_order_acquire) != mine)
        ;
    atomic_store_explicit(&filled, mine + 1, memory_order_release);
    return 1;
}

// The next item, or 0 if there is none.
int take(void) {
    unsigned mine = atomic_load_explicit(&emptied, memory_order_relaxed);
    if (atomic_load_explicit(&filled, memory_order_acquire) == mine)
        return 0;
    int item = slots[mine % SIZE];
    atomic_store_explicit(&emptied, mine + 1, memory_order_release);
    return item;
}

void *producer(void *number) {
    put((int)(long)number);
    return NULL;
}

void *consumer(void *unused) {
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += take();
    assert(sum <= N * (N + 1) / 2);
    return NULL;
}

int main(void) {
    pthread_t p[N], c;
    for (long i = 0; i < N; i++)
        pthread_create(&p[i], NULL, producer, (void *)(i + 1));
    pthread_create(&c, NULL, consumer, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(p[i], NULL);
    pthread_join(c, NULL);
    return 0;
}
