// An int is read at an odd address.
// expect: misaligned access
#include <stdlib.h>

static int read(const unsigned char *p) { return *(const int *)p; } // here

int main(void) {
  unsigned char *bytes = calloc(8, 1);
  int x = read(bytes + 1);
  free(bytes);
  return x;
}
