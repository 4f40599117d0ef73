// What realloc adds is not set.
// expect: indeterminate value
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  p[0] = 7;
  p = realloc(p, 2 * sizeof *p);
  if (p[1] == 7) // here
    p[0] = 8;
  free(p);
  return 0;
}
