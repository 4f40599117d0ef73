// What one past the end points to is read.
// expect: out of bounds
#include <stdlib.h>

int main(void) {
  int *a = calloc(2, sizeof *a), *end = a + 2, s = 0;
  for (int *p = a; p <= end; p++) // here
    s += *p; // here
  free(a);
  return s;
}
