// A function pointer is converted to another type and back before the call.
#include <assert.h>

static int add(int a, int b) { return a + b; }

typedef int (*unary)(int);
typedef int (*binary)(int, int);

int main(void) {
  unary f = (unary)add;
  assert(((binary)f)(1, 2) == 3);
  return 0;
}
