// A recursive function uses a variable that only its callee's call has set.
// expect: indeterminate value
static int depth(int n) {
  int d;
  if (n > 0)
    d = depth(n - 1) + 1;
  if (d > 10) // here
    return 10;
  return d;
}

int main(void) {
  return depth(2) > 10;
}
