// A constructor calls a virtual function: its own class's version.
#include <cassert>

struct base {
  int first;
  base() : first(name()) {}
  virtual int name() { return 0; }
  virtual ~base() {}
};

struct derived : base {
  int name() override { return 1; }
};

int main() {
  derived d;
  base& b = d;
  assert(d.first == 0 && b.name() == 1);
  return 0;
}
