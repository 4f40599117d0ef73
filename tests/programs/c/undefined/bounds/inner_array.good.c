// An array within a struct is used up to its end.
#include <assert.h>

struct s { int a[2]; int b; };

static int sum(const struct s *s, int n) {
  int r = s->b;
  for (int i = 0; i < n; i++)
    r += s->a[i];
  return r;
}

int main(void) {
  struct s s = {{1, 2}, 3};
  assert(sum(&s, 2) == 6);
  return 0;
}
