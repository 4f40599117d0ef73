// A member that was never set is used after its struct was copied twice.
// expect: indeterminate value
struct s { int a, b; };

int main(void) {
  struct s x, y, z;
  x.a = 1;
  y = x;
  z = y;
  if (z.a == 1 && z.b == 2) // here
    return 0;
  return 0;
}
