// Both indices stay within their bounds.
#include <assert.h>

int m[2][3] = {{1, 2, 3}, {4, 5, 6}};

int main(void) {
  int s = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      s += m[i][j];
  assert(s == 21);
  return 0;
}
