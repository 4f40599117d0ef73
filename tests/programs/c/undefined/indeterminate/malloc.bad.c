// Memory of malloc is not cleared.
// expect: indeterminate value
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[0] = 1;
  if (p[1] == 1) // here
    p[0] = 2;
  free(p);
  return 0;
}
