// A member is initialised from one that was declared before it.
#include <cassert>

struct range {
  int capacity, length;
  explicit range(int n) : capacity(2 * n), length(capacity > n ? n : 0) {}
};

int main() {
  range r(3);
  assert(r.capacity == 6 && r.length == 3);
  return 0;
}
