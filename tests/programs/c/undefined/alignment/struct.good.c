// A packed struct has no alignment.
#include <stdlib.h>

struct __attribute__((packed)) header { int kind; int length; };

int main(void) {
  unsigned char *wire = calloc(16, 1);
  struct header *h = (struct header *)(wire + 2);
  int length = h->length;
  free(wire);
  return length;
}
