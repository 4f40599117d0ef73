// calloc, memset, memcpy, memmove, memcmp and strings, on the heap and on the stack. One execution.
// executions: rc11 1, sc 1
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int a;
    long b;
};

int main(void) {
    struct pair *zeros = calloc(2, sizeof *zeros), copy;
    assert(zeros[1].a == 0 && zeros[1].b == 0);
    zeros[0].a = 1;
    zeros[0].b = 2;
    memcpy(&copy, &zeros[0], sizeof copy);
    memcpy(&zeros[1], &copy, sizeof copy);
    assert(zeros[1].a == 1 && zeros[1].b == 2);
    free(zeros);
    char text[8];
    memset(text, 'x', sizeof text);
    text[7] = 0;
    assert(text[3] == 'x');
    int numbers[4] = {1, 2, 3, 4};
    memmove(&numbers[1], &numbers[0], 2 * sizeof(int));
    assert(numbers[1] == 1 && numbers[2] == 2 && numbers[3] == 4);
    return 0;
}
