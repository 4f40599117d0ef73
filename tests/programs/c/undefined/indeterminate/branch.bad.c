// A branch on a variable that was never set.
// expect: indeterminate value
#include <stdio.h>

int main(void) {
  int x;
  if (x > 0) // here
    puts("positive");
  return 0;
}
