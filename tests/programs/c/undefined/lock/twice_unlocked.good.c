// A mutex is unlocked once on every path.
#include <threads.h>

static mtx_t m;

static int work(int fails) {
  mtx_lock(&m);
  if (fails) {
    mtx_unlock(&m);
    return 1;
  }
  mtx_unlock(&m);
  return 0;
}

int main(void) {
  mtx_init(&m, mtx_plain);
  work(0);
  work(1);
  mtx_destroy(&m);
  return 0;
}
