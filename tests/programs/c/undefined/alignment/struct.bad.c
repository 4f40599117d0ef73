// A struct is laid over bytes that are not aligned for it.
// expect: misaligned access
#include <stdlib.h>

struct header { int kind; int length; };

int main(void) {
  unsigned char *wire = calloc(16, 1);
  struct header *h = (struct header *)(wire + 2);
  int length = h->length; // here
  free(wire);
  return length;
}
