// A function and an object, each used as what it is, through void pointers.
#include <assert.h>

static int x = 3;
static int get(void) { return x; }

int main(void) {
  void *pointers[2] = {(void *)get, &x};
  *(int *)pointers[1] = 4;
  assert(((int (*)(void))pointers[0])() == 4);
  return 0;
}
