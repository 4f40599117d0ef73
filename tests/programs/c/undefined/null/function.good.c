// A callback that is called only if there is one.
#include <assert.h>

typedef int (*callback)(int);

static int twice(int x) { return 2 * x; }

static int apply(callback f, int x) {
  return f ? f(x) : x;
}

int main(void) {
  assert(apply(0, 1) == 1);
  assert(apply(twice, 2) == 4);
  return 0;
}
