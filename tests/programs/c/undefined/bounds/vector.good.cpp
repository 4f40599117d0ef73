// All elements of a vector.
#include <cassert>
#include <vector>

int main() {
  std::vector<int> v{1, 2, 3};
  int s = 0;
  for (unsigned i = 0; i < v.size(); i++)
    s += v[i];
  assert(s == 6 && v.back() == 3);
  return 0;
}
