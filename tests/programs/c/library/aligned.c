// An alignment must be a power of two; for posix_memalign, also a multiple of a pointer's size.
// executions: rc11 1
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
static int global;
int main(void) {
    assert(aligned_alloc(3, 12) == NULL && aligned_alloc(0, 12) == NULL);
    int *good = aligned_alloc(64, 128), *odd = aligned_alloc(8, 12);
    assert(good && odd);
    good[3] = 1;
    size_t wanted = 24;
    assert(!aligned_alloc(wanted, 24));
    void *m = &global;
    assert(posix_memalign(&m, 3, 8) == EINVAL && m == &global);
    assert(posix_memalign(&m, 4, 8) == EINVAL && posix_memalign(&m, 0, 8) == EINVAL && m == &global);
    assert(posix_memalign(&m, 16, 8) == 0 && m != &global && m);
    *(long *)m = 5;
    free(m);
    free(good);
    free(odd);
    return 0;
}
