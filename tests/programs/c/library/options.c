// Without arguments there are no options.
// executions: rc11 1
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
static int one(int count, char **arguments) {
    int c, found = 0;
    optind = 1;
    while ((c = getopt(count, arguments, "vn:")) != -1) found = 10 * found + (c == 'n' ? atoi(optarg) : c == 'v');
    return found;
}
int main(int argc, char **argv) {
    char *given[] = {"a", "-n", "3", "-vn4", "rest"};
    assert(one(argc, argv) == 0);
    assert(one(5, given) == 314 && optind == 4);
}
