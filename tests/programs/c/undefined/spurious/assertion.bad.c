// A weak compare-exchange may fail without a reason.
// expect: assertion
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
  int expected = 0;
  int ok = atomic_compare_exchange_weak(&x, &expected, 1);
  assert(ok); // here
  return 0;
}
