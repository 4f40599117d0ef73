// What malloc gave is used before anything was written to it.
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    p[0] = 1;
    int seen = p[1];
    free(p);
    return seen; // wrong
}
