// A recursive function passes the address of a variable of its first call down.
#include <assert.h>

static int deep(int n, int *top) {
  int x = n;
  if (!top)
    top = &x;
  *top += 1;
  if (n > 0)
    deep(n - 1, top);
  return x;
}

int main(void) {
  assert(deep(3, 0) == 7);
  return 0;
}
