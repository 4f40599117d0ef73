// A thread reads a captured variable of a function that may have returned.
// expect: use after free
#include <thread>

static std::thread start() {
  int x = 1;
  return std::thread([&x] {
    int y = x; // here
    (void)y;
  });
} // here

int main() {
  std::thread t = start();
  t.join();
  return 0;
}
