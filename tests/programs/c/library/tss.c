// executions: rc11 1
#include <assert.h>
#include <threads.h>
static tss_t key;
static int left;
static void leave(void *value) {
    left += *(int *)value;
}
static int uses(void *number) {
    tss_set(key, number);
    thrd_exit(*(int *)tss_get(key));
}
int main(void) {
    thrd_t t;
    int seven = 7, result;
    tss_create(&key, leave);
    thrd_create(&t, uses, &seven);
    thrd_join(t, &result);
    assert(result == 7 && left == 7 && !tss_get(key));
}
