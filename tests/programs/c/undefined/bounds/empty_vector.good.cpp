// The last element of a vector, if it has one.
#include <cassert>
#include <vector>

int main() {
  std::vector<int> v;
  int r = v.empty() ? 0 : v.back();
  v.push_back(4);
  assert(r == 0 && v.back() == 4);
  v.pop_back();
  assert(v.empty());
  return 0;
}
