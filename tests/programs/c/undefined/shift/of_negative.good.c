// A negative number is shifted to the right, which clang defines, and multiplied.
#include <assert.h>

static int twice(int x) { return x * 2; }

int main(void) {
  assert(twice(-3) == -6 && -3 >> 1 == -2);
  return 0;
}
