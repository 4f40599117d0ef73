// memcpy reads more than there is.
// expect: out of bounds
#include <string.h>

int main(void) {
  int from[2] = {1, 2}, to[4];
  memcpy(to, from, sizeof to); // here
  return 0;
}
