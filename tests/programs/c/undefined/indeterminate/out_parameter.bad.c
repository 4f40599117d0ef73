// A function does not set its out-parameter when it fails, and the caller uses it anyway.
// expect: indeterminate value
#include <stdbool.h>

static bool half(int x, int *out) {
  if (x % 2)
    return false;
  *out = x / 2;
  return true;
}

int main(void) {
  int h;
  half(7, &h);
  if (h == 3) // here
    return 1;
  return 0;
}
