// INT_MIN / -1.
// expect: invalid division
#include <limits.h>

static int quotient(int a, int b) { return a / b; } // here

int main(void) {
  return quotient(INT_MIN, -1) == 0;
}
