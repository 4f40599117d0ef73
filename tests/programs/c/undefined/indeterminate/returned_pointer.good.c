// A function returns null if it finds nothing.
#include <assert.h>

static int a[3] = {1, 2, 3};

static int *find(int x) {
  int *found = 0;
  for (int i = 0; i < 3; i++)
    if (a[i] == x)
      found = &a[i];
  return found;
}

int main(void) {
  assert(!find(9) && *find(2) == 2);
  return 0;
}
