// A comparison without subtraction.
#include <assert.h>
#include <limits.h>

static int compare(int a, int b) { return (a > b) - (a < b); }

int main(void) {
  assert(compare(INT_MIN, 1) == -1 && compare(INT_MAX, INT_MIN) == 1);
  assert(INT_MAX - INT_MAX == 0 && -1 - INT_MAX == INT_MIN);
  return 0;
}
