// main may take arguments; a program that is explored has none but its name. One execution.
// executions: rc11 1, sc 1
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc == 1);
    (void)argv;
    return 0;
}
