// What std::max returns is copied before its temporary ends.
#include <algorithm>
#include <cassert>

static int three() { return 3; }

int main() {
  int x = 1;
  int m = std::max(x, three());
  assert(m == 3);
  return 0;
}
