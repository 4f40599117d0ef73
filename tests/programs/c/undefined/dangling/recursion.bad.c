// A recursive function returns the address of a variable of its deepest call.
// expect: use after free
static int *deep(int n) {
  int x = n;
  int *p = &x;
  if (n > 0)
    p = deep(n - 1);
  return p;
}

int main(void) {
  return *deep(3) != 0; // here
}
