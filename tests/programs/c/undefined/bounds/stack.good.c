// A write of the last element of an array on the stack.
#include <assert.h>

int main(int argc, char **argv) {
  int a[3] = {0}, n = argc > 5 ? 1 : 2;
  a[n] = 1;
  assert(a[0] == 0);
  return 0;
}
