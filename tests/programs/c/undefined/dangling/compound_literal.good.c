// A compound literal lives as long as the block that it stands in.
#include <assert.h>

struct point { int x, y; };

static int sum(const struct point *p) { return p->x + p->y; }

int main(void) {
  struct point *p = &(struct point){1, 2};
  p->y = 3;
  assert(sum(p) == 4);
  assert(sum(&(struct point){5, 6}) == 11);
  return 0;
}
