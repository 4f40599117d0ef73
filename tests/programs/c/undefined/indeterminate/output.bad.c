// An indeterminate value is printed.
// expect: indeterminate value
#include <stdio.h>

int main(void) {
  int x;
  printf("%d\n", x); // here
  return 0;
}
