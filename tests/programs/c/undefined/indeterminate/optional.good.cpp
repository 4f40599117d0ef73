// A class keeps a value and whether it is there, is copied, and asked.
#include <cassert>

struct maybe {
  bool there = false;
  int value;
  maybe() {}
  explicit maybe(int v) : there(true), value(v) {}
};

static maybe half(int x) { return x % 2 ? maybe() : maybe(x / 2); }

int main() {
  maybe m = half(3), n = half(4), copy = m;
  if (copy.there)
    return copy.value;
  m = n;
  assert(m.there && m.value == 2);
  return 0;
}
