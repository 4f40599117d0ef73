// memcpy between overlapping parts of an array.
// expect: overlapping copy
#include <string.h>

static char a[8] = "abcdefg";

int main(void) {
  memcpy(a + 1, a, 5); // here
  return 0;
}
