// The variable is set on the only path to the branch.
#include <stdio.h>

int main(void) {
  int x;
  x = 3;
  if (x > 0)
    puts("positive");
  return 0;
}
