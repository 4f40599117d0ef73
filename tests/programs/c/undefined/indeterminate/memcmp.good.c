// memcmp compares structs without padding.
#include <assert.h>
#include <string.h>

struct s { int c; int i; };

int main(void) {
  struct s a, b;
  a.c = b.c = 'x';
  a.i = b.i = 3;
  assert(memcmp(&a, &b, sizeof a) == 0);
  return 0;
}
