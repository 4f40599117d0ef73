// A bool in a struct whose bytes were all set to 0.
#include <cassert>
#include <cstring>

struct options {
  bool verbose, colour;
};

int main() {
  options o;
  std::memset(&o, 0, sizeof o);
  assert(!o.colour);
  return 0;
}
