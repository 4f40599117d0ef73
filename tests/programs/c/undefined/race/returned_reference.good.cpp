// A lock protects the vector and what is done to its elements.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::vector<int> v{1, 2};

static int get(int i) {
  std::lock_guard<std::mutex> l(m);
  return v[i];
}

static void set(int i, int x) {
  std::lock_guard<std::mutex> l(m);
  v[i] = x;
}

int main() {
  std::thread t([] { set(0, 5); });
  int r = get(0);
  t.join();
  return r > 5;
}
