// What malloc gave is never freed.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p); // wrong
    *p = 1;
    return 0;
}
