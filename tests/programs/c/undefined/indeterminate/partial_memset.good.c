// memset with the size of the struct clears all of it.
#include <assert.h>
#include <string.h>

struct s { int a, b, c; };

static void clear(struct s *s) { memset(s, 0, sizeof *s); }

int main(void) {
  struct s s;
  clear(&s);
  assert(s.a == 0 && s.b == 0 && s.c == 0);
  return 0;
}
