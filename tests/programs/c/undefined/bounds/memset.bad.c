// memset writes more than there is.
// expect: out of bounds
#include <string.h>

static char buffer[4];

int main(void) {
  memset(buffer, 1, sizeof buffer + 1); // here
  return 0;
}
