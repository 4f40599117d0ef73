// A reference is bound to an object; a null pointer is deleted, which does nothing.
#include <cassert>

static int value(const int& x) { return x; }

int main() {
  int x = 1;
  int* p = &x;
  int* q = nullptr;
  delete q;
  assert(value(*p) == 1);
  return 0;
}
