// A recursive function sets its variable in either case.
#include <assert.h>

static int depth(int n) {
  int d;
  if (n > 0)
    d = depth(n - 1) + 1;
  else
    d = 0;
  return d;
}

int main(void) {
  assert(depth(2) == 2);
  return 0;
}
