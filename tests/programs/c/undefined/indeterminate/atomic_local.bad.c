// An atomic variable with automatic storage is read before it was set.
// expect: indeterminate value
#include <stdatomic.h>

int main(void) {
  atomic_int x;
  int r = atomic_load(&x); // here
  if (r == 5) // here
    return 1;
  return 0;
}
