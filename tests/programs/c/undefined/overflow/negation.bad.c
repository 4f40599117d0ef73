// -INT_MIN.
// expect: signed overflow
#include <limits.h>

static int negative(int x) { return -x; } // here

int main(void) {
  return negative(INT_MIN) > 0;
}
