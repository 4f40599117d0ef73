// A character array that was never set is printed as a string.
// expect: indeterminate value
#include <stdio.h>

int main(void) {
  char name[8];
  printf("%s\n", name); // here
  return 0;
}
