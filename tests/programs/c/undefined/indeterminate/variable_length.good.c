// All elements of an array of variable length are set.
#include <assert.h>

static int last(int n) {
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = i;
  return a[n - 1];
}

int main(void) {
  assert(last(3) == 2);
  assert(last(1) == 0);
  return 0;
}
