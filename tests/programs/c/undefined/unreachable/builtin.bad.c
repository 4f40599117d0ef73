// Code that was promised to be unreachable is reached.
// expect: unreachable code
static int name(int x) {
  switch (x) {
  case 0: return 10;
  case 1: return 11;
  default: __builtin_unreachable(); // here
  }
}

int main(void) {
  return name(2) == 10;
}
