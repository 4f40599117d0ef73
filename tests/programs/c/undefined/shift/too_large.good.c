// 1L << 40.
#include <assert.h>

static long bit(int n) { return 1L << n; }

int main(void) {
  assert(bit(40) == 1099511627776);
  return 0;
}
