// A null pointer is reallocated: that is malloc.
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  free(p);
  p = realloc(0, 8);
  p[7] = 1;
  free(p);
  return 0;
}
