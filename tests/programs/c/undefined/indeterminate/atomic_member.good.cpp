// std::atomic<int> without an initialiser is 0 since C++20.
#include <atomic>
#include <cassert>
#include <thread>

struct state {
  std::atomic<int> ready;
  int limit = 1;
};

int main() {
  state s;
  std::thread t([&s] {
    if (s.ready.load() < s.limit)
      s.ready.store(1);
  });
  t.join();
  assert(s.ready == 1);
  return 0;
}
