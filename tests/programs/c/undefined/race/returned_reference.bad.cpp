// A lock protects the vector, but not the element that is returned by reference.
// expect: data race
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::vector<int> v{1, 2};

static int& get(int i) {
  std::lock_guard<std::mutex> l(m);
  return v[i];
}

int main() {
  std::thread t([] { get(0) = 5; }); // here
  int r = get(0); // here
  t.join();
  return r > 5;
}
