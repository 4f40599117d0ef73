// The age of a ticket is computed with ints that wrap around.
// expect: signed overflow
#include <limits.h>

static int now = INT_MIN + 2, taken = INT_MAX - 1;

int main(void) {
  return now - taken > 100; // here
}
