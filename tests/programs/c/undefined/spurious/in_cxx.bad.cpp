// After a spurious failure the flag is not set, and nobody tries again.
// expect: assertion
#include <atomic>
#include <cassert>

static std::atomic<bool> taken{false};

static bool take() {
  bool expected = false;
  return taken.compare_exchange_weak(expected, true) || expected;
}

int main() {
  bool mine = take();
  assert(mine); // here
  return 0;
}
