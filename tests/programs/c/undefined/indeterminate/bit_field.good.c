// Bit-fields are set one by one, among bits that are never set.
#include <assert.h>

struct flags { unsigned a : 3, b : 5, c : 8; };

int main(void) {
  struct flags f;
  f.a = 1;
  f.c = 9;
  f.b = 2;
  assert(f.a == 1 && f.b == 2 && f.c == 9);
  struct flags g;
  g.b = 30;
  assert(g.b == 30);
  return 0;
}
