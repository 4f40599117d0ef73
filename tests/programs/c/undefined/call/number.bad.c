// A number that is no address of a function is called.
// expect: call of no function
#include <stdint.h>

typedef void (*action)(void);

int main(void) {
  action a = (action)(uintptr_t)64;
  a(); // here
  return 0;
}
