// The middle of two large numbers, as it should be computed.
#include <assert.h>
#include <limits.h>

static int middle(int low, int high) { return low + (high - low) / 2; }

int main(void) {
  assert(middle(INT_MAX - 2, INT_MAX) == INT_MAX - 1);
  return 0;
}
