// An atomic access of 16 bytes.
// refused: 16
#include <stdatomic.h>

struct pair {
    long a, b;
};

_Atomic struct pair shared;

int main(void) {
    struct pair seen = atomic_load(&shared); // here
    return (int)seen.a;
}
