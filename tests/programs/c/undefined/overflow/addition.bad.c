// INT_MAX + 1.
// expect: signed overflow
#include <limits.h>

static int next(int x) { return x + 1; } // here

int main(void) {
  return next(INT_MAX) == 0;
}
