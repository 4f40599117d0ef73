// executions: rc11 4
#define _GNU_SOURCE
#include <stdlib.h>
#include <assert.h>
#include <threads.h>
static once_flag once = ONCE_FLAG_INIT;
static int value;
static void initialise(void) {
    value++;
}
static int uses(void *unused) {
    call_once(&once, initialise);
    return value;
}
int main(void) {
    thrd_t a, b;
    int first, second;
    thrd_create(&a, uses, 0);
    thrd_create(&b, uses, 0);
    thrd_join(a, &first);
    thrd_join(b, &second);
    assert(first == 1 && second == 1);
}
