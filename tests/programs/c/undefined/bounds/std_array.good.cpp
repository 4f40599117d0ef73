// Elements of a std::array.
#include <array>
#include <cassert>

int main(int argc, char** argv) {
  std::array<int, 3> a{1, 2, 3};
  int n = argc > 5 ? 1 : 2;
  assert(a[n] >= 2 && a.size() == 3);
  return 0;
}
