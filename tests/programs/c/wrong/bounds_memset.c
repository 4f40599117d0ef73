// memset writes more than there is.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *a = malloc(8);
    memset(a, 0, 9); // wrong
    free(a);
    return 0;
}
