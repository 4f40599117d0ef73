// A write past the end of an array on the stack that only its thread sees.
#include <stdlib.h>

int main(void) {
    int a[4];
    for (int i = 0; i <= 4; i++)
        a[i] = i; // wrong
    return a[0];
}
