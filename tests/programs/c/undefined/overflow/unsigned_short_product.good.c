// The product of two unsigned shorts as unsigned.
#include <assert.h>

static unsigned product(unsigned short a, unsigned short b) { return 1u * a * b; }

int main(void) {
  assert(product(65535, 65535) == 4294836225u);
  return 0;
}
