// executions: rc11 1
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
static int ascending(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
int main(void) {
    char text[16] = "ab";
    strcat(text, "cd");
    assert(strlen(text) == 4 && strcmp(text, "abcd") == 0 && strncmp(text, "abx", 2) == 0 && strcmp("a", "b") < 0);
    assert(strchr(text, 'c') == text + 2 && !strchr(text, 'x') && strstr(text, "bc") == text + 1);
    strncpy(text, "zyx", 2);
    assert(memcmp(text, "zycd", 5) == 0);
    assert(isdigit('7') && !isdigit('x') && isspace(' ') && toupper('a') == 'A');
    assert(atoi(" -12x") == -12 && strtol("ff", 0, 16) == 255 && abs(-3) == 3);
    int numbers[] = {3, 1, 2}, two = 2;
    qsort(numbers, 3, sizeof numbers[0], ascending);
    assert(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
    assert(bsearch(&two, numbers, 3, sizeof two, ascending) == &numbers[1]);
}
