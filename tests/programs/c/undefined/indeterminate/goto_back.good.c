// A jump back within the scope of a variable keeps its value.
#include <assert.h>

int main(void) {
  int round = 0;
  int x;
  x = 1;
again:
  assert(x == 1 + round);
  x++;
  round++;
  if (round < 3)
    goto again;
  return 0;
}
