// A number beyond the values of an enumeration without a fixed type is loaded.
// expect: invalid value
#include <cstring>

enum colour { red, green, blue };

int main() {
  int seven = 7;
  colour c;
  std::memcpy(&c, &seven, sizeof c);
  switch (c) { // here
    case red: return 0;
    default: return 0;
  }
}
