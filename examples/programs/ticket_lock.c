// A ticket lock with the strongest orders everywhere, and two threads that use it. porf orders says which of these
// orders it needs.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, now_serving;

static void lock(void) {
    int ticket = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != ticket)
        ;
}

static void unlock(void) {
    atomic_store(&now_serving, atomic_load(&now_serving) + 1);
}

static int shared;

static void *count(void *unused) {
    lock();
    shared++;
    unlock();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared == 2);
}
