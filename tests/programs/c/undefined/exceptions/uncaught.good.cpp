// An exception is caught by the caller.
#include <cassert>

static int parse(int x) {
  if (x < 0)
    throw 1;
  return x;
}

int main() {
  int r = 0;
  try {
    r = parse(-1);
  } catch (int e) {
    r = e + 1;
  }
  assert(r == 2);
  return 0;
}
