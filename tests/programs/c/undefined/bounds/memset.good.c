// memset writes all there is, and nothing.
#include <assert.h>
#include <string.h>

static char buffer[4];

int main(void) {
  memset(buffer, 1, sizeof buffer);
  memset(buffer + 4, 2, 0);
  assert(buffer[3] == 1);
  return 0;
}
