// In C an enumeration is an integer, and takes any of its values.
#include <assert.h>

enum colour { red, green, blue };

int main(void) {
  enum colour c = 77;
  assert(c == 77);
  return 0;
}
