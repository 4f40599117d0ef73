// A jump within a block keeps the block's variables.
#include <assert.h>

int main(void) {
  int *p = 0, n = 0;
  {
    int x = 1;
    p = &x;
  again:
    n += *p;
    if (n < 3)
      goto again;
  }
  assert(n == 3);
  return 0;
}
