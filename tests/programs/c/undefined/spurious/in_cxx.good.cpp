// The caller goes on until the flag is set.
#include <atomic>
#include <cassert>

static std::atomic<bool> taken{false};

static bool take() {
  bool expected = false;
  while (!expected && !taken.compare_exchange_weak(expected, true)) {
  }
  return taken;
}

int main() {
  bool mine = take();
  assert(mine);
  return 0;
}
