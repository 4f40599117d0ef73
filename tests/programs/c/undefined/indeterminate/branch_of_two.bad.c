// The second operand of && decides, and was never set.
// expect: indeterminate value
int main(void) {
  int a = 1, b;
  if (a && b) // here
    a = 2;
  return a > 2;
}
