// A std::thread is joined although it is not joinable: that throws, and nobody catches it.
// expect: assertion
#include <thread>

int main() {
  std::thread t([] {});
  t.join();
  t.join(); // here
  return 0;
}
