// A variable that is declared in a loop does not keep its value from one iteration to the next.
// expect: indeterminate value
int main(void) {
  for (int i = 0; i < 2; i++) {
    int x;
    if (i == 0)
      x = 5;
    if (x != 5) // here
      return 1;
  }
  return 0;
}
