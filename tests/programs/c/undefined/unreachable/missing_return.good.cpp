// The end of a function with a result is not reached.
#include <cassert>

static int sign(int x) {
  if (x > 0)
    return 1;
  if (x < 0)
    return -1;
}

int main() {
  assert(sign(4) == 1 && sign(-4) == -1);
  return 0;
}
