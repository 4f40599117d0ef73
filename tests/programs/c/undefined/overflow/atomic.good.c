// Atomic arithmetic wraps around, also on signed types.
#include <assert.h>
#include <limits.h>
#include <stdatomic.h>

static atomic_int x = INT_MAX;

int main(void) {
  atomic_fetch_add(&x, 1);
  assert(atomic_load(&x) == INT_MIN);
  return 0;
}
