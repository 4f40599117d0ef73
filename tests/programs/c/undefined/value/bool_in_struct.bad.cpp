// A bool in a struct whose bytes were all set to 0xff.
// expect: invalid value
#include <cstring>

struct options {
  bool verbose, colour;
};

int main() {
  options o;
  std::memset(&o, 0xff, sizeof o);
  if (o.colour) // here
    return 0;
  return 0;
}
