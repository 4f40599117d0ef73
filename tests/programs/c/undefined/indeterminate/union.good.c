// A union whose smaller member was set is copied, and that member is used.
#include <assert.h>

union u { unsigned char byte; unsigned word; };

static union u same(union u u) { return u; }

int main(void) {
  union u u, v;
  u.byte = 1;
  v = same(u);
  assert(v.byte == 1);
  v.word = 0x01010101;
  assert(v.byte == 1);
  return 0;
}
