// A unique_lock's mutex is unlocked behind its back.
// expect: unlock of a mutex not held
#include <mutex>

static std::mutex m;

int main() {
  std::lock_guard<std::mutex> guard(m);
  m.unlock();
  return 0;
} // here
