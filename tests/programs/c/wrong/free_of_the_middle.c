// A pointer into the middle of an object is freed.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4 * sizeof *p);
    free(p + 1); // wrong
    return 0;
}
