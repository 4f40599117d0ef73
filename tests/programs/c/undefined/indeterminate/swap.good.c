// One of two variables that are swapped was never set; only the other one is used.
#include <assert.h>

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

int main(void) {
  int x = 1, y;
  swap(&x, &y);
  assert(y == 1);
  return 0;
}
