// Two threads write different bytes of a word: that is no race, and the atomic word has both.
// executions: rc11 1, sc 1, tso 1, pso 1, relaxed 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

union {
    _Atomic uint32_t word;
    unsigned char bytes[4];
} x = {.word = 0x07000000};

void *first(void *unused) {
    x.bytes[0] = 1;
    return NULL;
}

void *second(void *unused) {
    x.bytes[1] = 2;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&x.word) == 0x07000201);
    return 0;
}
