// An iterator is used after its element was erased.
// expect: use after free
#include <list>

int main() {
  std::list<int> l{1, 2, 3};
  int sum = 0;
  for (auto i = l.begin(); i != l.end(); ++i) { // here
    sum += *i;
    if (*i == 2)
      l.erase(i);
  }
  return sum > 9;
}
