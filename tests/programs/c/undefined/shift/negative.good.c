// A shift by 0.
#include <assert.h>

static int power(int n) { return 64 >> n; }

int main(void) {
  assert(power(0) == 64 && power(6) == 1 && power(31) == 0);
  return 0;
}
