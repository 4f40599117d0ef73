// A pointer to a base object is cast to the class of the object.
#include <cassert>

struct animal { int legs = 4; };
struct bird : animal { int wings = 2; };

int main() {
  bird* made = new bird;
  animal* a = made;
  bird* b = static_cast<bird*>(a);
  assert(b->wings == 2 && b->legs == 4);
  delete made;
  return 0;
}
