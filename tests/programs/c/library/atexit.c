// Handlers run in reverse order, at exit and at the return from main alike.
// executions: rc11 2
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int step;
static void second(void) {
    assert(step == 1);
}
static void first(void) {
    assert(step == 0);
    step = 1;
}
static void quick(void) {
    assert(0);
}
int main(void) {
    atexit(second);
    atexit(first);
    at_quick_exit(quick);
    if (__VERIFIER_nondet_int()) exit(0);
    return 0;
}
