// One element past the end of an array on the heap is written.
// expect: out of bounds
#include <stdlib.h>

int main(void) {
  int n = 3, *a = malloc(n * sizeof *a);
  for (int i = 0; i <= n; i++)
    a[i] = i; // here
  free(a);
  return 0;
}
