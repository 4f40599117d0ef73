// A number that is the address of a function is called.
#include <assert.h>
#include <stdint.h>

typedef void (*action)(void);

static int done;
static void act(void) { done = 1; }

int main(void) {
  uintptr_t n = (uintptr_t)act;
  action a = (action)n;
  a();
  assert(done);
  return 0;
}
