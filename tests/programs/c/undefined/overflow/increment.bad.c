// A counter is incremented beyond INT_MAX.
// expect: signed overflow
#include <limits.h>

struct stats { int hits; };

int main(void) {
  struct stats s = {INT_MAX - 1};
  for (int i = 0; i < 2; i++)
    s.hits++; // here
  return s.hits == 0;
}
