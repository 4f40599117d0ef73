// A write one past the end of what malloc gave.
#include <stdlib.h>

int main(void) {
    int *a = malloc(3 * sizeof *a);
    for (int i = 0; i <= 3; i++)
        a[i] = i; // wrong
    free(a);
    return 0;
}
