// A derived class sets the member of its base class.
#include <cassert>

struct shape {
  int sides;
  virtual int corners() const { return sides; }
};

struct square : shape {
  int size;
  square(int s) : size(s) { sides = 4; }
  bool pointed() const { return corners() > 2; }
};

int main() {
  square s(3);
  assert(s.pointed());
  return 0;
}
