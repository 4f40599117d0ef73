// Only the part of a record that was set is printed.
#include <stdio.h>

struct record { int number; int unused; };

int main(void) {
  struct record r, s;
  r.number = 3;
  s = r;
  printf("%d\n", s.number);
  return 0;
}
