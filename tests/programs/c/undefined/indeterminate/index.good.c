// An array is indexed by a variable that is set in either branch.
#include <assert.h>

int a[4] = {1, 2, 3, 4};

int main(int argc, char **argv) {
  unsigned i;
  if (argc > 1)
    i = 1;
  else
    i = 2;
  assert(a[i] > 1);
  return 0;
}
