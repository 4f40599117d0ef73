// A unique_ptr that was moved from is asked, and given a new object.
#include <cassert>
#include <memory>
#include <utility>

struct thing {
  int v = 3;
};

int main() {
  auto p = std::make_unique<thing>();
  auto q = std::move(p);
  assert(!p && q->v == 3);
  p = std::make_unique<thing>();
  assert(p->v == 3);
  return 0;
}
