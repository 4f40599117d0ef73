// A variable is set on one path, and used on that path only.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int x, known = __VERIFIER_nondet_int();
  if (known)
    x = 1;
  if (known)
    assert(x == 1);
  return 0;
}
