// A conditional expression whose condition was never set.
// expect: indeterminate value
#include <stdbool.h>
#include <stdio.h>

int main(void) {
  bool chosen;
  puts(chosen ? "yes" : "no"); // here
  return 0;
}
