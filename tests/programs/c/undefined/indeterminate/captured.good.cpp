// A closure captures a reference to a variable, which is set before the call.
#include <cassert>

int main() {
  int x;
  auto positive = [&x] { return x > 0; };
  x = 1;
  assert(positive());
  return 0;
}
