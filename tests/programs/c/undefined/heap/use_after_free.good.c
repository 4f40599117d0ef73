// A read before free, and a new object afterwards.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  assert(*p == 1);
  free(p);
  p = malloc(sizeof *p);
  *p = 2;
  assert(*p == 2);
  free(p);
  return 0;
}
