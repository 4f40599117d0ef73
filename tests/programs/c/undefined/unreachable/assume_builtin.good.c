// A promise to the compiler holds.
#include <assert.h>

static int half(int x) {
  __builtin_assume(x % 2 == 0);
  return x / 2;
}

int main(void) {
  assert(half(4) == 2);
  return 0;
}
