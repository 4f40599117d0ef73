// Pointer arithmetic within an array, up to its end.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int a[2];
  int *p = a;
  int n = 1 + __VERIFIER_nondet_int();
  int *q = p + n;
  assert(q - p == n);
  return 0;
}
