// A struct with an owning pointer copies what it points to.
#include <cassert>

struct owner {
  int* p;
  explicit owner(int v) : p(new int(v)) {}
  owner(const owner& o) : p(new int(*o.p)) {}
  ~owner() { delete p; }
};

int main() {
  owner a(1);
  owner b = a;
  assert(*b.p == 1 && a.p != b.p);
  return 0;
}
