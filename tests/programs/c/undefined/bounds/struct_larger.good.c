// A struct is written to memory of its size.
#include <assert.h>
#include <stdlib.h>

struct big { int a[4]; };

int main(void) {
  struct big b = {{1, 2, 3, 4}};
  struct big *p = malloc(sizeof *p);
  *p = b;
  assert(p->a[3] == 4);
  free(p);
  return 0;
}
