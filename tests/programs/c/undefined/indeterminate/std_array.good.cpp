// A std::array with empty braces, and a vector with a size, are 0.
#include <array>
#include <cassert>
#include <vector>

int main() {
  std::array<int, 3> a{};
  std::vector<int> v(3);
  for (int x : a)
    assert(x == 0);
  for (int x : v)
    assert(x == 0);
  return 0;
}
