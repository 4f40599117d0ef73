// A comparison by subtraction overflows.
// expect: signed overflow
#include <limits.h>

static int compare(int a, int b) { return a - b; } // here

int main(void) {
  return compare(INT_MIN, 1) == 0;
}
