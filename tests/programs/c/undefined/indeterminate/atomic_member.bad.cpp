// A thread uses a plain member that the constructor forgot; the atomic one is 0 in C++20.
// expect: indeterminate value
#include <atomic>
#include <thread>

struct state {
  std::atomic<int> ready;
  int limit;
};

int main() {
  state s;
  std::thread t([&s] {
    if (s.ready.load() < s.limit) // here
      s.ready.store(1);
  });
  t.join();
  return 0;
}
