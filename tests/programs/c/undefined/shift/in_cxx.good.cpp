// In C++20 shifts of negative numbers, and into the sign, are defined.
#include <cassert>

static int shift(int x, int n) { return x << n; }

int main() {
  assert(shift(-3, 1) == -6);
  assert(shift(1, 31) < 0);
  assert(shift(3, 31) == -2147483647 - 1);
  return 0;
}
