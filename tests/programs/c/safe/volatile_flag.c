// A volatile variable that one thread alone uses is as good as any. One execution.
// executions: rc11 1, sc 1
#include <assert.h>

volatile int x;

int main(void) {
    x = 1;
    x = x + 1;
    assert(x == 2);
    return 0;
}
