// A struct is passed by value with a member that was never set, and the callee uses it.
// expect: indeterminate value
struct s { long a; int b; char c; };

static int sign(struct s s) {
  if (s.b < 0) // here
    return -1;
  return 1;
}

int main(void) {
  struct s s;
  s.a = 1;
  s.c = 'c';
  return sign(s) > 1;
}
