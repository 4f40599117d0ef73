// The iterator goes on from what erase returns.
#include <cassert>
#include <list>

int main() {
  std::list<int> l{1, 2, 3};
  int sum = 0;
  for (auto i = l.begin(); i != l.end();) {
    sum += *i;
    if (*i == 2)
      i = l.erase(i);
    else
      ++i;
  }
  assert(sum == 6 && l.size() == 2);
  return 0;
}
