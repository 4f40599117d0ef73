// An assumption about an unknown but determinate value.
#include <assert.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x == 1);
  assert(x == 1);
  return 0;
}
