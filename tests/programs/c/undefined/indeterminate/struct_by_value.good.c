// A struct is passed and returned by value with padding and a member that were never set.
#include <assert.h>

struct s { char c; long a; int b; };

static struct s next(struct s s) {
  s.a++;
  return s;
}

int main(void) {
  struct s s;
  s.a = 1;
  s.c = 'c';
  s = next(next(s));
  assert(s.a == 3 && s.c == 'c');
  return 0;
}
