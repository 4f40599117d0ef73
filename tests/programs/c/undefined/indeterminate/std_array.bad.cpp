// A std::array without an initialiser has indeterminate elements.
// expect: indeterminate value
#include <array>

int main() {
  std::array<int, 3> a;
  a[0] = 1;
  int n = 0;
  for (int x : a)
    if (x == 1) // here
      n++;
  return n > 3;
}
