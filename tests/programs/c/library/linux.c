// Store buffering with the kernel's names; full barriers forbid that both see nothing.
// executions: rc11 3
#include <assert.h>
#include <lkmm.h>
static int x, y, seen[2];
static void *first(void *unused) {
    WRITE_ONCE(x, 1);
    smp_mb();
    seen[0] = READ_ONCE(y);
    return 0;
}
static void *second(void *unused) {
    WRITE_ONCE(y, 1);
    smp_mb();
    seen[1] = READ_ONCE(x);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen[0] || seen[1]);
}
