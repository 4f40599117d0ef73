// Each iteration points to its own variable.
#include <assert.h>

int main(void) {
  int *first = 0, sum = 0;
  for (int i = 0; i < 2; i++) {
    int x = i + 1;
    first = &x;
    sum += *first;
  }
  assert(sum == 3);
  return 0;
}
