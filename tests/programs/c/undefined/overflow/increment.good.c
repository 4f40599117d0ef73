// A counter is incremented up to INT_MAX, and a char beyond its maximum: that is a conversion.
#include <assert.h>
#include <limits.h>

struct stats { int hits; signed char small; };

int main(void) {
  struct stats s = {INT_MAX - 2, SCHAR_MAX};
  for (int i = 0; i < 2; i++)
    s.hits++;
  s.small++;
  assert(s.hits == INT_MAX && s.small == SCHAR_MIN);
  return 0;
}
