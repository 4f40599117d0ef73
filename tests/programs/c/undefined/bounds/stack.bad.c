// A write past the end of an array on the stack.
// expect: index out of bounds
int main(int argc, char **argv) {
  int a[3] = {0}, n = argc > 5 ? 2 : 3;
  a[n] = 1; // here
  return a[0];
}
