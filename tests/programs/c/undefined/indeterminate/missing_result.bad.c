// A function ends without a return statement, and its result is used.
// expect: indeterminate value
static int sign(int x) {
  if (x > 0)
    return 1;
  if (x < 0)
    return -1;
}

int main(void) {
  if (sign(0) == 0) // here
    return 0;
  return 0;
}
