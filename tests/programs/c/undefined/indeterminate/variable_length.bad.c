// An element of an array of variable length was never set.
// expect: indeterminate value
static int last(int n) {
  int a[n];
  for (int i = 0; i + 1 < n; i++)
    a[i] = 0;
  return a[n - 1];
}

int main(void) {
  if (last(3) == 77) // here
    return 1;
  return 0;
}
