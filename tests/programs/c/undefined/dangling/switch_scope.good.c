// The variable of a case's block is used within it.
#include <assert.h>

static int pick(int which) {
  const int *p = 0;
  int found = 0;
  switch (which) {
  case 1: {
    int one = 10;
    p = &one;
    found = *p;
    break;
  }
  default:
    break;
  }
  return found;
}

int main(void) {
  assert(pick(1) == 10 && pick(2) == 0);
  return 0;
}
