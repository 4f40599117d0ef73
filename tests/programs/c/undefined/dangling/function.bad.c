// The address of a local variable is used after its function has returned.
// expect: use after free
static int *leak(void) {
  int x = 5;
  int *p = &x;
  return p;
}

int main(void) {
  int *p = leak();
  return *p != 5; // here
}
