// The old pointer is used after realloc.
// expect: use after free
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  int *q = realloc(p, 64);
  *p = 2; // here
  free(q);
  return 0;
}
