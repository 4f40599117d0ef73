// A byte is converted to unsigned and shifted.
#include <assert.h>

static const unsigned char b[4] = {1, 2, 3, 0x80};

static unsigned long little(const unsigned char *p) {
  return p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
}

int main(void) {
  assert(little(b) == 0x80030201);
  return 0;
}
