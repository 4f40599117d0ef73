// trylock may fail although nobody holds the mutex (C11).
// expect: assertion
#include <assert.h>
#include <threads.h>

static mtx_t m;

int main(void) {
  mtx_init(&m, mtx_plain);
  int r = mtx_trylock(&m);
  assert(r == thrd_success); // here
  mtx_unlock(&m);
  return 0;
}
