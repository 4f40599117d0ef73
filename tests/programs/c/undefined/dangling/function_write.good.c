// A callee writes to a local variable of its caller.
#include <assert.h>

static int *kept;

static void set(void) { *kept = 6; }

static int caller(void) {
  int x = 5;
  kept = &x;
  set();
  return x;
}

int main(void) {
  assert(caller() == 6);
  return 0;
}
