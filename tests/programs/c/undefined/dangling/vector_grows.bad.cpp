// A reference to an element of a vector is used after the vector has grown.
// expect: use after free
#include <vector>

int main() {
  std::vector<int> v;
  v.push_back(1);
  int& first = v[0];
  for (int i = 0; i < 40; i++)
    v.push_back(i);
  return first != 1; // here
}
