// Each thread enlists its thread-local record, and reads those of all threads before any of them ends. Executions
// differ in who enlists first, and in whether the other one has to try again.
// executions: rc11 4, sc 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct record {
    atomic_int hazard;
    int count;
    struct record *next;
};

static _Thread_local struct record mine = {.count = 3};
static struct record *_Atomic list;
static pthread_barrier_t barrier;

void *work(void *unused) {
    assert(mine.count++ == 3);
    atomic_store_explicit(&mine.hazard, 1, memory_order_relaxed);
    struct record *old = atomic_load(&list);
    do mine.next = old;
    while (!atomic_compare_exchange_strong(&list, &old, &mine));
    pthread_barrier_wait(&barrier);
    int enlisted = 0;
    for (struct record *r = list; r; r = r->next) enlisted += r->hazard + (r->count == 4);
    assert(enlisted == 4);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
