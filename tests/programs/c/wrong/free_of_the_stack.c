// A variable on the stack is freed.
#include <stdlib.h>

int main(void) {
    int x = 1;
    int *volatile p = &x;
    free(p); // wrong
    return 0;
}
