// memcmp compares padding, which has no determinate value.
// expect: indeterminate value
#include <string.h>

struct s { char c; int i; };

int main(void) {
  struct s a, b;
  a.c = b.c = 'x';
  a.i = b.i = 3;
  if (memcmp(&a, &b, sizeof a)) // here
    return 1;
  return 0;
}
