// The length of a null pointer.
// expect: null argument
#include <string.h>

static const char *name(int i) { return i == 1 ? "one" : 0; }

int main(void) {
  return strlen(name(2)) > 3; // here
}
