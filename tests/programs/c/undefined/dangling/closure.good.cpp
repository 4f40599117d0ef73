// A closure captures a local variable by value.
#include <cassert>

static auto counter(int start) {
  int n = start;
  return [n]() mutable { return ++n; };
}

int main() {
  auto c = counter(3);
  assert(c() == 4);
  assert(c() == 5);
  return 0;
}
