// An atomic access of a size that no processor has.
// refused: atomic access
#include <stdatomic.h>

struct triple {
    int a, b, c;
};

_Atomic struct triple shared;

int main(void) {
    struct triple seen = atomic_load(&shared); // here
    return seen.a;
}
