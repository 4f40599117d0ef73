// memcpy copies what was never set, and the copy is used.
// expect: indeterminate value
#include <string.h>

struct s { char c; int i; };

int main(void) {
  struct s a, b;
  a.c = 'x';
  memcpy(&b, &a, sizeof a);
  if (b.i > 3) // here
    return 0;
  return 0;
}
