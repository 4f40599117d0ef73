// The thread uses its parameter before it calls what nobody defines.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void nobody_defines_this(void);
static void *sets(void *x) {
    atomic_store((atomic_int *)x, 1);
    nobody_defines_this();
    return 0;
}
int main(void) {
    static atomic_int x;
    pthread_t t;
    pthread_create(&t, 0, sets, &x);
    assert(!atomic_load(&x));
}
