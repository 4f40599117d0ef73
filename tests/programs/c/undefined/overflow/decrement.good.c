// An unsigned long is decremented below 0.
#include <assert.h>
#include <limits.h>

static void down(unsigned long *p) { --*p; }

int main(void) {
  unsigned long x = 0;
  down(&x);
  assert(x == ULONG_MAX);
  return 0;
}
