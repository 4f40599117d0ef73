// One element more is used than was set.
// expect: indeterminate value
int main(void) {
  int a[8], n = 4, even = 0;
  for (int i = 0; i < n; i++)
    a[i] = i;
  for (int i = 0; i <= n; i++)
    if (a[i] % 2 == 0) // here
      even++;
  return even > 5;
}
