// An element of a vector past its end.
// expect: out of bounds
#include <vector>

int main() {
  std::vector<int> v{1, 2, 3};
  int s = 0;
  for (unsigned i = 0; i <= v.size(); i++)
    s += v[i]; // here
  return s > 9;
}
