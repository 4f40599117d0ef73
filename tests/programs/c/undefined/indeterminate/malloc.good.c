// Memory of calloc is cleared.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = calloc(2, sizeof *p);
  p[0] = 1;
  assert(p[1] == 0);
  free(p);
  return 0;
}
