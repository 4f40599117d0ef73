// Numbers between the enumerators, and any number of an enumeration with a fixed type.
#include <cassert>

enum colour { red, green, blue };
enum class code : int { ok };

int main() {
  colour c = static_cast<colour>(3);
  code d = static_cast<code>(77);
  assert(c == 3 && static_cast<int>(d) == 77);
  return 0;
}
