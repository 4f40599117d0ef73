// An object that is not const is modified although a pointer to const was made of it.
#include <assert.h>

static int limit = 10;

static void raise(const int *p) { *(int *)p = 20; }

int main(void) {
  raise(&limit);
  assert(limit == 20);
  return 0;
}
