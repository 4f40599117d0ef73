// A member of a struct within a struct within an array was never set.
// expect: indeterminate value
struct point { int x, y; };
struct line { struct point from, to; };

static int length(const struct line *l) {
  return l->to.y > l->from.y ? l->to.y - l->from.y : 0; // here
}

int main(void) {
  struct line lines[2];
  lines[0].from = (struct point){1, 2};
  lines[0].to.x = 3;
  return length(&lines[0]) < 0;
}
