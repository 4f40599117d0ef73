// abs(-INT_MAX).
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int x = argc > 5 ? 1 : -INT_MAX;
  assert(abs(x) > 0);
  return 0;
}
