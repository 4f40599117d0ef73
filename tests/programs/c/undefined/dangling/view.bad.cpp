// A view keeps the address of the characters of a string that has ended.
// expect: use after free
#include <string>

struct view {
  const char* first;
  unsigned long size;
  view(const std::string& s) : first(s.data()), size(s.size()) {}
};

static std::string name(int i) { return i ? "a rather long name of something" : "x"; }

int main() {
  view v(name(1));
  return v.first[0] != 'a'; // here
}
