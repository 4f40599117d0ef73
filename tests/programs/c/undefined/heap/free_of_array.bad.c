// An array on the stack is freed.
// expect: invalid free
#include <stdlib.h>

int main(void) {
  int small[4] = {0}, *p = small;
  if (sizeof small > 100)
    p = malloc(100);
  free(p); // here
  return 0;
}
