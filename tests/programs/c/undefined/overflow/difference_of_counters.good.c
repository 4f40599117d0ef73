// The age of a ticket is computed with unsigned numbers that wrap around.
#include <assert.h>
#include <limits.h>

static unsigned now = 2, taken = UINT_MAX - 1;

int main(void) {
  assert(now - taken == 4);
  return 0;
}
