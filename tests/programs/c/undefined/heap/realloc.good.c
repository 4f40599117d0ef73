// The new pointer is used after realloc.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  p = realloc(p, 64);
  p[15] = 2;
  assert(p[0] == 1 && p[15] == 2);
  free(p);
  return 0;
}
