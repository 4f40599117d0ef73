// -INT_MAX.
#include <assert.h>
#include <limits.h>

static int negative(int x) { return -x; }

int main(void) {
  assert(negative(INT_MAX) == INT_MIN + 1);
  return 0;
}
