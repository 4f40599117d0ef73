// A function of one's own with any number of arguments.
// refused: va_
#include <stdarg.h>

int sum(int n, ...) {
    va_list list;
    int total = 0;
    va_start(list, n); // here
    while (n-- > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

int main(void) {
    return sum(2, 3, 4);
}
