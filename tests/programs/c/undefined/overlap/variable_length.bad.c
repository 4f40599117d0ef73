// memcpy of a computed length, between overlapping elements.
// expect: overlapping copy
#include <string.h>

static void remove_first(int *a, int n) {
  memcpy(a, a + 1, (n - 1) * sizeof *a); // here
}

int main(void) {
  int a[4] = {1, 2, 3, 4};
  remove_first(a, 4);
  return a[3] != 4;
}
