// A mask is shifted in a loop up to its last bit.
#include <assert.h>

int main(void) {
  unsigned long mask = 0;
  for (int i = 60; i < 64; i++)
    mask |= 1ul << i;
  assert(mask == 0xf000000000000000ul);
  return 0;
}
