// Input from outside.
// refused: scanf
#include <stdio.h>

int main(void) {
    int n;
    return scanf("%d", &n); // here
}
