// The address of a variable is used within its block.
#include <assert.h>

int main(void) {
  int *p, y = 0;
  {
    int x = 5;
    p = &x;
    *p += 1;
    y = *p;
  }
  p = &y;
  assert(*p == 6);
  return 0;
}
