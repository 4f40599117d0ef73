// Arithmetic on a value that was never set for a result that nobody needs.
int main(void) {
  unsigned x[2], y;
  unsigned *p = x;
  y = p[0] * 2 + 1;
  p[1] = y;
  return 0;
}
