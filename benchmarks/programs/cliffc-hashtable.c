// cliffc-hashtable(N): an open-addressing hash table in the manner of Cliff Click: a key is claimed in its slot by
// compare-exchange, and then the value is, so that nobody waits. Without growth. Abdulla et al. 2018, Table 7.
// Parameters: N threads, each of which puts a value and gets another's; SLOTS.
#include "common.h"

#ifndef N
#define N 2
#endif
#ifndef SLOTS
#define SLOTS 4
#endif

struct slot {
    atomic_int key, value;
};

struct slot table[SLOTS];

// The slot of a key, claimed if nobody did; NULL if the table is full.
struct slot *slot_of(int key, int claim) {
    for (int i = 0; i < SLOTS; i++) {
        struct slot *slot = &table[(key + i) % SLOTS];
        int seen = LOAD(slot->key);
        if (seen == 0) {
            if (!claim)
                return NULL;
            if (CAS(slot->key, &seen, key))
                return slot;
        }
        if (seen == key)
            return slot;
    }
    return NULL;
}

// Puts a value; returns the one before.
int put(int key, int value) {
    struct slot *slot = slot_of(key, 1);
    assert(slot != NULL);
    int seen = LOAD(slot->value);
    while (!CAS(slot->value, &seen, value))
        ;
    return seen;
}

int get(int key) {
    struct slot *slot = slot_of(key, 0);
    return slot == NULL ? 0 : LOAD(slot->value);
}

void *thread(void *number) {
    int me = (int)(long)number;
    put(1 + SLOTS * (me % 2), 10 + me);
    int seen = get(1);
    assert(seen == 0 || (seen >= 10 && seen < 10 + N && seen % 2 == 0));
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
