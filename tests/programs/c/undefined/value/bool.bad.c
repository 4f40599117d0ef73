// A bool that holds 2.
// expect: invalid value
#include <stdbool.h>
#include <string.h>

int main(void) {
  unsigned char two = 2;
  bool b;
  memcpy(&b, &two, 1);
  if (b) // here
    return 0;
  return 0;
}
