// An unsigned one is shifted to the highest place.
#include <assert.h>

static unsigned flag(int n) { return 1u << n; }

int main(void) {
  assert(flag(31) == 0x80000000u);
  return 0;
}
