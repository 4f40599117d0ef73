// What was freed is read by the same thread.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p); // wrong
    return *p; // wrong
}
