// 2 is converted to true.
#include <assert.h>
#include <stdbool.h>
#include <string.h>

int main(void) {
  unsigned char one = 1;
  bool a = 2, b;
  memcpy(&b, &one, 1);
  assert(a == true && a == b);
  return 0;
}
