// Each iteration uses the part of its array that it has set.
#include <assert.h>

int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int seen[3];
    for (int j = 0; j <= i; j++)
      seen[j] = 1;
    for (int j = 0; j <= i; j++)
      if (seen[j])
        sum++;
  }
  assert(sum == 6);
  return 0;
}
