// A loop that counts down stops at the beginning of the array.
#include <assert.h>

int a[3] = {1, 2, 3};

int main(void) {
  int s = 0;
  for (int *p = a + 3; p > a;)
    s += *--p;
  assert(s == 6);
  return 0;
}
