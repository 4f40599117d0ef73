// The empty entries of a table of functions are left out.
#include <assert.h>

static int one(void) { return 1; }
static int two(void) { return 2; }

static int (*const table[4])(void) = {one, [2] = two};

int main(void) {
  int s = 0;
  for (int i = 0; i < 4; i++)
    if (table[i])
      s += table[i]();
  assert(s == 3);
  return 0;
}
