// A conditional expression whose other branch is never set and not evaluated.
#include <assert.h>
#include <stdbool.h>

int main(void) {
  bool chosen = true;
  int one = 1, other;
  int x = chosen ? one : other;
  assert(x == 1);
  return 0;
}
