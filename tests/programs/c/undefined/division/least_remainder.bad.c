// INT_MIN % -1.
// expect: invalid division
#include <limits.h>

static long remainder_of(long a, long b) { return a % b; } // here

int main(void) {
  return remainder_of(LONG_MIN, -1) != 0;
}
