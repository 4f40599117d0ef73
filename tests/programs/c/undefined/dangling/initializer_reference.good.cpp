// A member reference is bound to an object that outlives it.
#include <cassert>

struct view {
  const int& it;
  explicit view(const int& x) : it(x) {}
};

int main() {
  int x = 4;
  view v(x);
  x = 5;
  assert(v.it == 5);
  return 0;
}
