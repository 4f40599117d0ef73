// strncpy does not end what fills its array.
// expect: out of bounds
#include <string.h>

int main(void) {
  char name[4];
  strncpy(name, "long name", sizeof name);
  return strlen(name) == 9; // here
}
