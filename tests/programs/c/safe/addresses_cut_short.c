// An address that is cut down to 32 bits is not zero if it is tested, and keeps its lowest bits.
// executions: rc11 1, sc 1
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static int global, other;
static _Atomic(int *) shared;
struct node { int a, b; };
int main(void) {
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q), local = 0;
    atomic_store(&shared, p);
    __VERIFIER_assume(p);
    __VERIFIER_assume(&global);
    __VERIFIER_assume(atomic_load(&shared));
    __VERIFIER_assume(&local);
    assert(p);
    assert((int)(intptr_t)p);
    assert((int)(intptr_t)&global && !!(int)(intptr_t)&other);
    assert((bool)p && !!p && !(!p));
    uintptr_t u = (uintptr_t)p;
    int low = (int)u;
    assert(low != 0);
    assert(((uintptr_t)p & 7) == 0 && ((unsigned)(uintptr_t)p & 7) == 0);
    assert((int *)(((uintptr_t)p | 1) & ~(uintptr_t)1) == p);
    assert(((uintptr_t)p >> 3) << 3 == (uintptr_t)p);
    int *none = NULL;
    assert((int)(intptr_t)none == 0 && !none);
    unsigned slot = (unsigned)((uintptr_t)p >> 4) % 8;
    assert(slot < 8);
    unsigned char byte = (unsigned char)(uintptr_t)p;
    assert(byte == 0 && !(unsigned char)(uintptr_t)p && !((uintptr_t)p & 1) && ((uintptr_t)p | 1) & 1);
    unsigned half = (unsigned)(uintptr_t)q, upper = (unsigned)((uintptr_t)q >> 32);
    assert((int *)((uintptr_t)upper << 32 | half) == q);
    struct node *n = malloc(sizeof *n);
    assert((unsigned)(uintptr_t)&n->b - (unsigned)(uintptr_t)&n->a == 4);
    long wide = 1;
    __VERIFIER_assume(wide);
    printf("%p %d\n", (void *)p, (int)(intptr_t)p);
    free(n);
    free(p);
    free(q);
    return 0;
}
