// A compare-exchange sets the expected value when it fails.
#include <assert.h>
#include <stdatomic.h>

atomic_int x = 4;

int main(void) {
  int expected = 0;
  if (!atomic_compare_exchange_strong(&x, &expected, 1))
    assert(expected == 4);
  return 0;
}
