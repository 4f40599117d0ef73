// Who comes first does it; the other one came while it was done, or after.
// executions: rc11 4
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;
static void initialise(void) {
    value++;
}
static void *uses(void *unused) {
    pthread_once(&once, initialise);
    assert(value == 1);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, uses, 0);
    pthread_create(&b, 0, uses, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
