// A static member function needs no object.
#include <cassert>

struct widget {
  int size = 1;
  static int zero() { return 0; }
  int get() const { return size; }
};

static widget* find(int i) {
  static widget only;
  return i == 0 ? &only : nullptr;
}

int main() {
  assert(widget::zero() == 0);
  assert(find(0)->get() == 1);
  return 0;
}
