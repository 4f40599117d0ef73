// All elements of an array on the heap are written, and the pointer reaches one past the end.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int n = 3, *a = malloc(n * sizeof *a);
  for (int *p = a; p != a + n; p++)
    *p = p - a;
  assert(a[2] == 2);
  free(a);
  return 0;
}
