// A std::thread is joined if it is joinable.
#include <thread>

int main() {
  std::thread t([] {});
  t.join();
  if (t.joinable())
    t.join();
  return 0;
}
