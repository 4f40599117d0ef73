// A std::thread is assigned to while it is joinable: the program is terminated.
// expect: assertion
#include <thread>

int main() {
  std::thread t([] {});
  t = std::thread([] {}); // here
  t.join();
  return 0;
}
