// Unsigned numbers wrap around.
#include <assert.h>
#include <limits.h>

static unsigned next(unsigned x) { return x + 1; }

int main(void) {
  assert(next(UINT_MAX) == 0);
  assert(next(INT_MAX) == 1u + INT_MAX);
  return 0;
}
