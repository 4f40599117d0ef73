// An element of a std::array past its end.
// expect: out of bounds
#include <array>

int main(int argc, char** argv) {
  std::array<int, 3> a{1, 2, 3};
  int n = argc > 5 ? 1 : 3;
  return a[n]; // here
}
