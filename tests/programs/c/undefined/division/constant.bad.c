// A division by a constant 0, whose result nobody needs.
// expect: invalid division
int main(void) {
  int x = 5;
  x = x / 0; // here
  return 0;
}
