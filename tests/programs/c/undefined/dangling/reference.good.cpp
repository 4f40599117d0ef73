// A function returns a reference to what it was given.
#include <cassert>

static int& larger(int& a, int& b) { return a < b ? b : a; }

int main() {
  int x = 1, y = 2;
  int& r = larger(x, y);
  r = 7;
  assert(y == 7);
  return 0;
}
