// std::max returns a reference to one of its arguments, a temporary.
// expect: use after free
#include <algorithm>

static int three() { return 3; }

int main() {
  int x = 1;
  const int& m = std::max(x, three());
  return m == 7; // here
}
