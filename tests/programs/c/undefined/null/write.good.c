// A function that accepts null pointers.
#include <assert.h>

static void set(int *p) {
  if (p)
    *p = 1;
}

int main(void) {
  int x = 0;
  set(0);
  set(&x);
  assert(x == 1);
  return 0;
}
