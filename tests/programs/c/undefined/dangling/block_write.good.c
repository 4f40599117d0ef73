// A write to a variable of the enclosing block.
#include <assert.h>

int main(int argc, char **argv) {
  int *p = 0, x[2] = {1, 2};
  if (argc < 9) {
    p = x + 1;
  }
  if (p)
    *p = 3;
  assert(!p || x[1] == 3);
  return 0;
}
