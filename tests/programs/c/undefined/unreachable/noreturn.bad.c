// A function that was declared not to return does.
// expect: unreachable code
static int stop;

static _Noreturn void fail(void) { // here
  while (stop)
    ;
} // here

int main(void) {
  fail(); // here
}
