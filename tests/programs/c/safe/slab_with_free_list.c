// A slab whose free list is inside the free objects, which are used as two types with atomics of different widths. Each
// thread enters the lock twice, and the entries of two threads come in six orders.
// executions: rc11 6, sc 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#define OBJECTS 2

struct small {
    atomic_uint first, second;
};

struct large {
    _Atomic uint64_t word;
    char bytes[4];
};

static _Alignas(16) unsigned char slab[16 * OBJECTS];
static void *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(void *object) {
    pthread_mutex_lock(&lock);
    *(void **)object = head;
    head = object;
    pthread_mutex_unlock(&lock);
}

static void *get(void) {
    pthread_mutex_lock(&lock);
    void *object = head;
    if (object) head = *(void **)object;
    pthread_mutex_unlock(&lock);
    return object;
}

void *one(void *unused) {
    struct small *object = get();
    memset(object, 0, sizeof *object);
    atomic_store(&object->first, 1);
    assert(object->first == 1 && object->second == 0);
    put(object);
    return NULL;
}

void *two(void *unused) {
    struct large *object = get();
    memset(object, 0, sizeof *object);
    atomic_fetch_add(&object->word, 1);
    object->bytes[1] = 3;
    assert(object->word == 1);
    put(object);
    return NULL;
}

int main(void) {
    for (int i = 0; i < OBJECTS; i++) put(slab + 16 * i);
    pthread_t s, t;
    pthread_create(&s, NULL, one, NULL);
    pthread_create(&t, NULL, two, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    assert(get() && get() && !get());
    return 0;
}
