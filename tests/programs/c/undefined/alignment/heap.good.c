// A long is written eight bytes into an object of malloc.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(16);
  *(long *)(p + 8) = 1;
  assert(*(long *)(p + 8) == 1);
  free(p);
  return 0;
}
