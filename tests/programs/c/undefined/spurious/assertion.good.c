// A strong compare-exchange on a variable that nobody else writes succeeds.
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
  int expected = 0;
  int ok = atomic_compare_exchange_strong(&x, &expected, 1);
  assert(ok);
  return 0;
}
