// The members of a struct within a struct within an array are set one by one.
#include <assert.h>

struct point { int x, y; };
struct line { struct point from, to; };

static int length(const struct line *l) {
  return l->to.y > l->from.y ? l->to.y - l->from.y : 0;
}

int main(void) {
  struct line lines[2];
  lines[0].from = (struct point){1, 2};
  lines[0].to.y = 3;
  lines[1] = lines[0];
  assert(length(&lines[1]) == 1);
  return 0;
}
