// Code that was promised to be unreachable is not reached.
#include <assert.h>

static int name(int x) {
  switch (x) {
  case 0: return 10;
  case 1: return 11;
  default: __builtin_unreachable();
  }
}

int main(void) {
  assert(name(0) + name(1) == 21);
  return 0;
}
