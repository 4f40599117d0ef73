// A long is decremented below LONG_MIN.
// expect: signed overflow
#include <limits.h>

static void down(long *p) { --*p; } // here

int main(void) {
  long x = LONG_MIN;
  down(&x);
  return x == 0;
}
