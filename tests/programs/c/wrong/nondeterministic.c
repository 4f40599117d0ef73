// One of the values that the program is given makes it fail.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    assert(n * n != 4); // wrong
    return 0;
}
