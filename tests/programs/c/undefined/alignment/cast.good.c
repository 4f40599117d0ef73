// An int is copied from an odd address.
#include <stdlib.h>
#include <string.h>

static int read(const unsigned char *p) {
  int x;
  memcpy(&x, p, sizeof x);
  return x;
}

int main(void) {
  unsigned char *bytes = calloc(8, 1);
  int x = read(bytes + 1);
  free(bytes);
  return x;
}
