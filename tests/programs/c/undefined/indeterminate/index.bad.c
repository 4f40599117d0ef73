// An array is indexed by a variable that was never set.
// expect: indeterminate value
int a[4] = {1, 2, 3, 4};

int main(void) {
  unsigned i;
  int x = a[i]; // here
  return x == 77;
}
