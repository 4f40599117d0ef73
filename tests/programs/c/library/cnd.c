// One thread gives, the other takes when it is there: it was there, or is waited for.
// executions: rc11 2
#include <assert.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int given;
static void gives(void *unused) {
    mtx_lock(&m);
    given = 42;
    cnd_signal(&c);
    mtx_unlock(&m);
}
int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, gives, 0);
    mtx_lock(&m);
    while (!given) cnd_wait(&c, &m);
    assert(given == 42);
    mtx_unlock(&m);
    thrd_join(t);
}
