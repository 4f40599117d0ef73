// A remainder of a negative number.
#include <assert.h>
#include <limits.h>

static long remainder_of(long a, long b) { return a % b; }

int main(void) {
  assert(remainder_of(-7, 3) == -1 && remainder_of(LONG_MIN, 2) == 0 && remainder_of(-5, -1) == 0);
  return 0;
}
