// memcpy copies padding that was never set.
#include <assert.h>
#include <string.h>

struct s { char c; int i; };

int main(void) {
  struct s a, b;
  a.c = 'x';
  a.i = 3;
  memcpy(&b, &a, sizeof a);
  assert(b.i == 3 && b.c == 'x');
  return 0;
}
