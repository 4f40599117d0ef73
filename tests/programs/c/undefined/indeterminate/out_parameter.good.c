// A function does not set its out-parameter when it fails, and the caller asks.
#include <assert.h>
#include <stdbool.h>

static bool half(int x, int *out) {
  if (x % 2)
    return false;
  *out = x / 2;
  return true;
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    int h;
    if (half(i, &h))
      assert(h == i / 2);
  }
  return 0;
}
