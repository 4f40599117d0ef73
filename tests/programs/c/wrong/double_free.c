// What was freed is freed again.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    free(p); // wrong
    free(p); // wrong
    return 0;
}
