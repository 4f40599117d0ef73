// The variable of a for loop is the same one in all iterations.
#include <assert.h>

int a[4] = {1, 2, 3, 4};

int main(void) {
  int *found = 0, last = 0;
  for (int i = 0; i < 4; i++) {
    if (a[i] == 2)
      found = &i;
    if (found)
      last = *found;
  }
  assert(last == 3);
  return 0;
}
