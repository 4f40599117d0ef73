// memset with the size of a pointer clears only the first members.
// expect: indeterminate value
#include <string.h>

struct s { int a, b, c; };

static void clear(struct s *s) { memset(s, 0, sizeof s); }

int main(void) {
  struct s s;
  clear(&s);
  if (s.c) // here
    return 1;
  return 0;
}
