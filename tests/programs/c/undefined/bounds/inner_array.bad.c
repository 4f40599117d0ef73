// An array overruns within its struct.
// expect: index out of bounds
struct s { int a[2]; int b; };

static int sum(const struct s *s, int n) {
  int r = 0;
  for (int i = 0; i < n; i++)
    r += s->a[i]; // here
  return r;
}

int main(void) {
  struct s s = {{1, 2}, 3};
  return sum(&s, 3) != 6;
}
