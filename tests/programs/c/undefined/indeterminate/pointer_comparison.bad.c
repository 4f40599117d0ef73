// A pointer that was never set is compared with null.
// expect: indeterminate value
#include <stddef.h>

int main(void) {
  int *p;
  if (p == NULL) // here
    return 0;
  return 0;
}
