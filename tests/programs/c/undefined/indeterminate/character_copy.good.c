// A struct with padding is copied character by character.
#include <assert.h>

struct s { char c; int i; };

int main(void) {
  struct s a, b;
  a.c = 'x';
  a.i = 5;
  unsigned char *from = (unsigned char *)&a, *to = (unsigned char *)&b;
  for (unsigned i = 0; i < sizeof a; i++)
    to[i] = from[i];
  assert(b.c == 'x' && b.i == 5);
  return 0;
}
