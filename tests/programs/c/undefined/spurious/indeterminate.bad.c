// The result is set only if the first try succeeds, and it may fail spuriously.
// expect: indeterminate value
#include <stdatomic.h>

static atomic_int x;

int main(void) {
  int expected = 0, r;
  if (atomic_compare_exchange_weak(&x, &expected, 1))
    r = 1;
  else if (expected != 0)
    r = 2;
  if (r == 2) // here
    return 1;
  return 0;
}
