// A read through a null pointer that the compiler knows to be null.
// expect: invalid pointer
int main(void) {
  int *p = 0;
  return *p; // here
}
