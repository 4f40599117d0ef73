// Whoever fails to lock the mutex does not unlock it.
#include <threads.h>

static mtx_t m;

int main(void) {
  mtx_init(&m, mtx_plain);
  if (mtx_trylock(&m) == thrd_success)
    mtx_unlock(&m);
  return 0;
}
