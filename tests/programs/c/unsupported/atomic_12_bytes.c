// An atomic access of a size that no processor has.
// refused: 128 bits
#include <stdatomic.h>

struct triple {
    int a, b, c;
};

_Atomic struct triple shared;

int main(void) {
    struct triple seen = atomic_load(&shared); // here
    return seen.a;
}
