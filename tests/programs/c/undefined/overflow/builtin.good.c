// A sum is checked by the compiler's function.
#include <assert.h>
#include <limits.h>

static int checked(int a, int b) {
  int s;
  return __builtin_add_overflow(a, b, &s) ? INT_MAX : s;
}

int main(void) {
  assert(checked(INT_MAX, 1) == INT_MAX);
  assert(checked(3, 4) == 7);
  return 0;
}
