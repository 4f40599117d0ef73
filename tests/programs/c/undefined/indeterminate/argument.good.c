// What is passed was set by another function, through a pointer to a pointer.
#include <assert.h>

static int pick(int which) {
  if (which)
    return 1;
  return 2;
}

static void set(int **p) { **p = 1; }

int main(void) {
  int x, *p = &x;
  set(&p);
  assert(pick(x) == 1);
  return 0;
}
