// The last element of an empty vector.
// expect: invalid pointer
#include <vector>

int main() {
  std::vector<int> v;
  return v.back(); // here
}
