// One execution for each of the values that the program is given.
// executions: rc11 4, sc 4
// arguments: --nondet 0..3
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    assert(0 <= n && n <= 3);
    return 0;
}
