// memmove of a computed length, between overlapping elements.
#include <assert.h>
#include <string.h>

static void remove_first(int *a, int n) {
  memmove(a, a + 1, (n - 1) * sizeof *a);
}

int main(void) {
  int a[4] = {1, 2, 3, 4};
  remove_first(a, 4);
  assert(a[0] == 2 && a[2] == 4 && a[3] == 4);
  return 0;
}
