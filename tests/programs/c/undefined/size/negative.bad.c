// An array of variable length has a negative length.
// expect: invalid array size
static int f(int n) {
  char a[n - 4]; // here
  a[0] = 0;
  return a[0];
}

int main(void) {
  return f(3);
}
