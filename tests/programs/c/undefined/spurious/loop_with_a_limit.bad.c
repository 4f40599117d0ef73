// Two tries of a weak compare-exchange may both fail.
// expect: assertion
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
  int ok = 0;
  for (int i = 0; i < 2 && !ok; i++) {
    int expected = 0;
    ok = atomic_compare_exchange_weak(&x, &expected, 1);
  }
  assert(ok); // here
  return 0;
}
