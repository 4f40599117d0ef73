// concurrent-hashmap(N): a hash map of lists. Writers hold the lock of their segment and prepend; readers take none and
// follow the list. Abdulla et al. 2018, Table 7.
// Parameters: N threads: every second one puts, and the others get.
#include "common.h"

#ifndef N
#define N 4
#endif
#define BUCKETS 2

struct entry {
    int key;
    atomic_int value;
    struct entry *next;
};

_Atomic(struct entry *) buckets[BUCKETS];
pthread_mutex_t segments[BUCKETS];
struct entry entries[N][2];

struct entry *find(int key) {
    struct entry *entry = LOAD(buckets[key % BUCKETS]);
    while (entry != NULL && entry->key != key)
        entry = entry->next;
    return entry;
}

int get(int key) {
    struct entry *entry = find(key);
    return entry == NULL ? 0 : LOAD(entry->value);
}

void put(struct entry *fresh, int key, int value) {
    int b = key % BUCKETS;
    pthread_mutex_lock(&segments[b]);
    struct entry *entry = find(key);
    if (entry != NULL) {
        STORE(entry->value, value);
    } else {
        fresh->key = key;
        atomic_init(&fresh->value, value);
        fresh->next = LOAD(buckets[b]);
        STORE(buckets[b], fresh);
    }
    pthread_mutex_unlock(&segments[b]);
}

void *putter(void *number) {
    int me = (int)(long)number;
    put(&entries[me][0], 1, 10 + me);
    put(&entries[me][1], 2, 10 + me);
    return NULL;
}

void *getter(void *unused) {
    int one = get(1), two = get(2);
    assert((one == 0 || one >= 10) && (two == 0 || two >= 10));
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (int i = 0; i < BUCKETS; i++)
        pthread_mutex_init(&segments[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, i % 2 == 0 ? putter : getter, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
