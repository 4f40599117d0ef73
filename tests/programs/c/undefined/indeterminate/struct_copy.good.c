// A struct with a member that was never set is copied twice; only the other one is used.
#include <assert.h>

struct s { int a, b; };

int main(void) {
  struct s x, y, z;
  x.a = 1;
  y = x;
  z = y;
  assert(z.a == 1);
  return 0;
}
