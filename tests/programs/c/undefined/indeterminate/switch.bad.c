// A switch on a variable that was never set.
// expect: indeterminate value
int main(void) {
  int x, y = 0;
  switch (x) { // here
  case 0: y = 1; break;
  case 1: y = 2; break;
  default: y = 3;
  }
  return y == 0;
}
