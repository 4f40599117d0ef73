// A number is added to a null pointer.
// expect: pointer out of bounds
#include <stddef.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = NULL;
  int n = 1 + __VERIFIER_nondet_int();
  int *q = p + n; // here
  return q == p;
}
