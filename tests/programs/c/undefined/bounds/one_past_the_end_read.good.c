// A half-open range.
#include <stdlib.h>

int main(void) {
  int *a = calloc(2, sizeof *a), *end = a + 2, s = 0;
  for (int *p = a; p < end; p++)
    s += *p;
  free(a);
  return s;
}
