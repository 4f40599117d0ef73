// A temporary is used within the full expression that made it, or its life is extended by a reference.
#include <cassert>

struct box {
  int v;
  const int* get() const { return &v; }
};

static box make(int v) { return box{v}; }

int main() {
  assert(*make(3).get() == 3);
  const box& b = make(4);
  assert(*b.get() == 4);
  return 0;
}
