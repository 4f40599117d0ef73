// A view of a string that lives on.
#include <cassert>
#include <string>

struct view {
  const char* first;
  unsigned long size;
  view(const std::string& s) : first(s.data()), size(s.size()) {}
};

static std::string name(int i) { return i ? "a rather long name of something" : "x"; }

int main() {
  std::string s = name(1);
  view v(s);
  assert(v.first[0] == 'a' && v.size == 31);
  return 0;
}
