// A negative index from a pointer into the middle of an array.
#include <assert.h>

static int a[4] = {1, 2, 3, 4};

int main(void) {
  int *p = a + 3;
  assert(p[-1] == 3 && p[-3] == 1);
  return 0;
}
