// A bool in a union takes the bits of a number.
// expect: invalid value
#include <stdbool.h>

union u { unsigned char byte; bool flag; };

static bool get(union u *u) { return u->flag; } // here

int main(void) {
  union u u;
  u.byte = 0x80;
  return get(&u) && u.byte == 1;
}
