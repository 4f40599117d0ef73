// A shift by one less than the width of the type.
#include <assert.h>

static unsigned mask(unsigned bits) { return bits ? 0xffffffffu >> (32 - bits) : 0; }

int main(void) {
  assert(mask(0) == 0 && mask(1) == 1 && mask(32) == 0xffffffff);
  return 0;
}
