// Only the elements that were set are used.
#include <assert.h>

int main(void) {
  int a[8], n = 4, even = 0;
  for (int i = 0; i < n; i++)
    a[i] = i;
  for (int i = 0; i < n; i++)
    if (a[i] % 2 == 0)
      even++;
  assert(even == 2);
  return 0;
}
