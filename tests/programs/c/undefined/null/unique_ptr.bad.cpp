// A unique_ptr is empty after it was moved from.
// expect: invalid pointer
#include <memory>
#include <utility>

struct thing {
  int v = 3;
};

int main() {
  auto p = std::make_unique<thing>();
  auto q = std::move(p);
  return p->v; // here
}
