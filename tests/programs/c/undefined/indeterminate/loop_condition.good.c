// The bound of a loop is set through a pointer.
#include <assert.h>

static void bound(int *n) { *n = 3; }

int main(void) {
  int n, s = 0;
  bound(&n);
  for (int i = 0; i < n; i++)
    s += i;
  assert(s == 3);
  return 0;
}
