// The middle of two large numbers.
// expect: signed overflow
#include <limits.h>

static int middle(int low, int high) { return (low + high) / 2; } // here

int main(void) {
  return middle(INT_MAX - 2, INT_MAX) == 0;
}
