// Arithmetic on a value that was never set decides a branch.
// expect: indeterminate value
int main(void) {
  unsigned x, y;
  y = x * 2 + 1;
  y = (y ^ 5) >> 1;
  if (y == 3) // here
    return 0;
  return 0;
}
