// A sum is checked after it was computed.
// expect: signed overflow
#include <limits.h>

static int checked(int a, int b) {
  int s = a + b; // here
  return s < a ? INT_MAX : s;
}

int main(void) {
  return checked(INT_MAX, 1) == 0;
}
