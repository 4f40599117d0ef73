// Words in an array of bytes: it is cleared, its words are used as atomic ones by two threads, and its bytes are read
// and written again after them. Executions differ in who increments first, and in whose flag is the last one.
// executions: rc11 4, sc 4, ra 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

struct node {
    _Atomic uint64_t count;
    _Atomic uint32_t flag;
};

static _Alignas(16) char pool[48];
static struct node *node;

void *run(void *unused) {
    atomic_fetch_add(&node->count, 1);
    atomic_store_explicit(&node->flag, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    memset(pool, 0, sizeof pool);
    node = (struct node *)(pool + 16);
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(node->count == 2 && pool[16] == 2);
    pool[17] = 1;
    assert(node->count == 258);
    memset(pool, 0, sizeof pool);
    atomic_store(&node->count, 3);
    assert(pool[16] == 3 && pool[17] == 0 && node->flag == 0);
    return 0;
}
