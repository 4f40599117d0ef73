// Only what is on the heap is freed.
#include <stdlib.h>

int main(void) {
  int small[4] = {0}, *p = small;
  if (sizeof small < 100)
    p = malloc(100);
  if (p != small)
    free(p);
  return 0;
}
