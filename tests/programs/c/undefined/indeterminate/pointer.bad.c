// A read through a pointer that was never set.
// expect: indeterminate value
int main(void) {
  int *p;
  int x = *p; // here
  return x == 77;
}
