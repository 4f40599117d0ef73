// A compare-exchange compares with a value that was never set.
// expect: indeterminate value
#include <stdatomic.h>

atomic_int x;

int main(void) {
  int expected;
  atomic_compare_exchange_strong(&x, &expected, 1); // here
  return 0;
}
