// Bit fields of a struct on the stack, enums and chars. One execution.
// executions: rc11 1, sc 1
#include <assert.h>

enum colour { RED = 1, GREEN = 5, BLUE };

struct packed {
    unsigned low : 3;
    unsigned high : 5;
    int sign : 2;
};

int main(void) {
    struct packed p = {0};
    unsigned nine = 9;
    p.low = nine;
    p.high = 21;
    p.sign = -1;
    assert(p.low == 1 && p.high == 21 && p.sign == -1);
    enum colour c = BLUE;
    assert(c == 6 && GREEN - RED == 4);
    return 0;
}
