// A thread has a copy of what it needs.
#include <cassert>
#include <thread>

static int result;

static std::thread start() {
  int x = 1;
  return std::thread([x] { result = x; });
}

int main() {
  std::thread t = start();
  t.join();
  assert(result == 1);
  return 0;
}
