// A switch jumps past the initialisation of a variable in its body.
// expect: indeterminate value
int main(void) {
  int r = 0;
  switch (r) {
    int y = 5;
  case 0:
    if (y == 5) // here
      r = 1;
  }
  return r > 1;
}
