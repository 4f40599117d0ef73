// executions: rc11 2
#include <threads.h>
static mtx_t m;
#define ENTER (mtx_lock(&m), mtx_lock(&m), mtx_unlock(&m))
#define LEAVE mtx_unlock(&m)
#include "counter.h"
int main(void) {
    mtx_init(&m, mtx_plain | mtx_recursive);
    count_to_two();
}
