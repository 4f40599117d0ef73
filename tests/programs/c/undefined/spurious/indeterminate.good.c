// The result is set whether the try succeeds or fails.
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
  int expected = 0, r;
  if (atomic_compare_exchange_weak(&x, &expected, 1))
    r = 1;
  else
    r = 2;
  assert(r == 1 || expected == 0);
  return 0;
}
