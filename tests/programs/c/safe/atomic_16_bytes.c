// A stack with a counter beside its pointer, exchanged together. Executions differ in who pushes first, and in whether the
// other one has to try again.
// executions: rc11 4, sc 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
    struct node *next;
};

struct top {
    struct node *first;
    uintptr_t tag;
};

_Atomic struct top top;
_Atomic __int128 big;
struct node nodes[2];

void *push(void *given) {
    struct node *node = given;
    struct top old = atomic_load(&top), new;
    do {
        node->next = old.first;
        new.first = node;
        new.tag = old.tag + 1;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
    return NULL;
}

int main(void) {
    struct top none = {NULL, 0};
    atomic_init(&top, none);
    pthread_t a, b;
    pthread_create(&a, NULL, push, &nodes[0]);
    pthread_create(&b, NULL, push, &nodes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct top seen = atomic_load(&top);
    assert(seen.tag == 2 && seen.first->next && !seen.first->next->next);

    atomic_store(&big, ((__int128)1 << 100) | 5);
    __int128 old = atomic_exchange(&big, -1);
    assert((int64_t)(old >> 64) == 1ll << 36 && (int64_t)old == 5);
    assert(big == -1 && big < 0 && *(unsigned char *)&big == 255);
    ((unsigned char *)&big)[15] = 0;
    assert(big > 0 && big + 1 == (__int128)1 << 120);

    unsigned __int128 product = (unsigned __int128)0xfedcba9876543210 * 0x123456789abcdef1;
    assert((uint64_t)product == 0xfedcba9876543210 * 0x123456789abcdef1 && (uint64_t)(product >> 64) == 0x121fa00ad77d7423);

    _Atomic __int128 own = 7;
    __int128 expected = 7;
    assert(atomic_compare_exchange_strong(&own, &expected, 8) && own == 8);
    assert(!atomic_compare_exchange_strong(&own, &expected, 9) && expected == 8);
    return 0;
}
