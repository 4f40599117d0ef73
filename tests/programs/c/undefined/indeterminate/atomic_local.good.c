// An atomic variable with automatic storage is set by atomic_init.
#include <assert.h>
#include <stdatomic.h>

int main(void) {
  atomic_int x;
  atomic_init(&x, 4);
  assert(atomic_fetch_add(&x, 1) == 4);
  return 0;
}
