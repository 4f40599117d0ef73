// A write through a null pointer.
// expect: invalid pointer
static void set(int *p) {
  *p = 1; // here
}

int main(void) {
  set(0);
  return 0;
}
