// A reference to an element of a vector that has room for all that follow.
#include <cassert>
#include <vector>

int main() {
  std::vector<int> v;
  v.reserve(8);
  v.push_back(1);
  int& first = v[0];
  for (int i = 0; i < 5; i++)
    v.push_back(i);
  assert(first == 1);
  return 0;
}
