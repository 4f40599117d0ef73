// What was there before realloc keeps its value.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  p[0] = 7;
  p = realloc(p, 2 * sizeof *p);
  p[1] = 8;
  assert(p[0] == 7 && p[1] == 8);
  free(p);
  return 0;
}
