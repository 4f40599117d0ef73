// INT_MIN / 1, and INT_MAX / -1.
#include <assert.h>
#include <limits.h>

static int quotient(int a, int b) { return a / b; }

int main(void) {
  assert(quotient(INT_MIN, 1) == INT_MIN && quotient(INT_MAX, -1) == -INT_MAX);
  return 0;
}
