// A product of two ints as longs.
#include <assert.h>

static long area(int w, int h) { return (long)w * h; }

int main(void) {
  assert(area(65536, 65536) == 1L << 32);
  return 0;
}
