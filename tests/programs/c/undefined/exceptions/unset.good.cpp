// The handler sets what the exception left unset.
#include <cassert>

static void load(int& out, bool fail) {
  if (fail)
    throw 1;
  out = 5;
}

int main() {
  int x;
  try {
    load(x, true);
  } catch (...) {
    x = 6;
  }
  assert(x == 6);
  return 0;
}
