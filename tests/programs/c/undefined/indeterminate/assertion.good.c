// An assertion on a static variable, which begins as 0.
#include <assert.h>

int main(void) {
  static int x;
  assert(x == 0);
  return 0;
}
