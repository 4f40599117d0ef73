// An index one past the end of a global array.
#include <stdatomic.h>

atomic_int a[4];
atomic_int n = 4;

int main(void) {
    atomic_store(&a[atomic_load(&n)], 1); // wrong
    return 0;
}
