// A sum that begins with 0.
#include <assert.h>

int a[3] = {1, 2, 3};

int main(void) {
  unsigned sum;
  sum = 0;
  for (int i = 0; i < 3; i++)
    sum += a[i];
  assert(sum == 6);
  return 0;
}
