// A std::thread is detached, another one joined, a third one moved from.
#include <thread>
#include <utility>

int main() {
  std::thread t([] {}), u([] {}), v;
  t.detach();
  v = std::move(u);
  v.join();
  return 0;
}
