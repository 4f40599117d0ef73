// An array of variable length has a small length.
static int f(int n) {
  char a[n - 2];
  a[0] = 0;
  return a[0];
}

int main(void) {
  return f(3);
}
