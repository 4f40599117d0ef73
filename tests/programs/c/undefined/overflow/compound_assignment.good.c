// += on a short converts, and on an int stays in range.
#include <assert.h>
#include <limits.h>

int main(int argc, char **argv) {
  int total = INT_MAX - 5;
  short s = SHRT_MAX;
  int step[2] = {2, 3};
  for (int i = 0; i < 2; i++)
    total += step[i];
  s += 1;
  assert(total == INT_MAX && s == SHRT_MIN);
  return 0;
}
