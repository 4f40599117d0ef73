// A static variable lives on when its function has returned.
#include <assert.h>

static int *leak(void) {
  static int x = 5;
  int *p = &x;
  return p;
}

int main(void) {
  int *p = leak();
  assert(*p == 5);
  return 0;
}
