// A std::thread is assigned to after it was joined.
#include <thread>

int main() {
  std::thread t([] {});
  t.join();
  t = std::thread([] {});
  t.join();
  return 0;
}
