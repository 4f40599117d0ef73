// The bound of a loop was never set.
// expect: indeterminate value
int main(void) {
  int n, s = 0;
  for (int i = 0; i < n; i++) // here
    s = i & 3;
  return s > 3;
}
