// Empty braces set all members of an aggregate to 0.
#include <cassert>

struct point { int x, y; };

int main() {
  point p{};
  point q = point();
  assert(p.x == 0 && p.y == 0 && q.y == 0);
  return 0;
}
