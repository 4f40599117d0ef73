// Memory is freed and then reallocated.
// expect: use after free
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  free(p);
  p = realloc(p, 8); // here
  free(p);
  return 0;
}
