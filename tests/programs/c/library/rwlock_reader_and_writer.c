// The reader is before the writer, or after it, or waited for it.
// executions: rc11 3
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;
static void *writes(void *unused) {
    pthread_rwlock_wrlock(&l);
    x++;
    y++;
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writes, 0);
    pthread_rwlock_rdlock(&l);
    assert(x == y);
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
}
