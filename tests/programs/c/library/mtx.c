// executions: rc11 2
#include <threads.h>
static mtx_t m;
#define ENTER mtx_lock(&m)
#define LEAVE mtx_unlock(&m)
#include "counter.h"
int main(void) {
    mtx_init(&m, mtx_plain);
    count_to_two();
    mtx_destroy(&m);
}
