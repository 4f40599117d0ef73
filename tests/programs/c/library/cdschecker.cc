// CDSChecker's conventions: user_main, threads that return nothing, load_32 and store_32 for plain accesses.
// executions: rc11 2
#include <cdsannotate.h>
#include <librace.h>
#include <model-assert.h>
#include <stdatomic.h>
#include <threads.h>

using namespace std;

static uint32_t data;
static atomic_int ready;

static void sends(void *unused) {
    store_32(&data, 42);
    ready.store(1, memory_order_release);
}

static void receives(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_acquire)) MODEL_ASSERT(load_32(&data) == 42);
}

int user_main(int argc, char **argv) {
    thrd_t a, b;
    atomic_init(&ready, 0);
    thrd_create(&a, (thrd_start_t)&sends, NULL);
    thrd_create(&b, (thrd_start_t)&receives, NULL);
    thrd_join(a);
    thrd_join(b);
    return 0;
}
