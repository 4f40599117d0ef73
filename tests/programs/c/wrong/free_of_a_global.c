// A global variable is freed.
#include <stdlib.h>

int x;

int main(void) {
    int *p = &x;
    free(p); // wrong
    return 0;
}
