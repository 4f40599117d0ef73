// An assertion on a variable that was never set.
// expect: indeterminate value
#include <assert.h>

int main(void) {
  int x;
  assert(x == 0); // here
  return 0;
}
