// memmove between overlapping parts, and memcpy between parts that touch.
#include <assert.h>
#include <string.h>

static char a[8] = "abcdefg";

int main(void) {
  memmove(a + 1, a, 5);
  assert(strcmp(a, "aabcdeg") == 0);
  memcpy(a, a + 4, 4);
  assert(strcmp(a, "deg") == 0);
  return 0;
}
