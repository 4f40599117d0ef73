// An indeterminate value is passed to a function that decides by it.
// expect: indeterminate value
static int pick(int which) {
  if (which) // here
    return 1;
  return 2;
}

int main(void) {
  int x;
  return pick(x) > 2; // here
}
