// A range-based for loop keeps the temporary vector that it iterates over.
#include <cassert>
#include <vector>

static std::vector<int> numbers() { return {1, 2, 3}; }

int main() {
  int sum = 0;
  for (int n : numbers())
    sum += n;
  assert(sum == 6);
  return 0;
}
