// A const pointer to something that is not const.
#include <assert.h>

int main(void) {
  int x = 1;
  int *const p = &x;
  *p = 2;
  assert(x == 2);
  return 0;
}
