// A std::thread that was not joined is destroyed: the program is terminated.
// expect: assertion
#include <thread>

int main() {
  std::thread t([] {});
  return 0;
} // here
