// A long is written four bytes into an object of malloc.
// expect: misaligned access
#include <stdlib.h>

int main(void) {
  char *p = malloc(16);
  *(long *)(p + 4) = 1; // here
  free(p);
  return 0;
}
