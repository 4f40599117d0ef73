// A reference to an element of a temporary vector.
// expect: use after free
#include <vector>

static std::vector<int> numbers() { return {1, 2, 3}; }

int main() {
  const int& first = numbers()[0];
  return first != 1; // here
}
