// A struct is written to memory that is too small for it.
// expect: out of bounds
#include <stdlib.h>

struct big { int a[4]; };

int main(void) {
  struct big b = {{1, 2, 3, 4}};
  struct big *p = malloc(sizeof p);
  *p = b; // here
  free(p);
  return 0;
}
