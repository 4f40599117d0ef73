// A function returns a pointer to a member of an object of its caller.
#include <cassert>

struct pair {
  int first, second;
  int* larger() { return first < second ? &second : &first; }
};

static int* best(pair& p) { return p.larger(); }

int main() {
  pair p{3, 4};
  assert(*best(p) == 4);
  return 0;
}
