// A function that was declared not to return ends the program.
#include <stdlib.h>

static _Noreturn void finish(void) { exit(0); }

int main(void) {
  finish();
}
