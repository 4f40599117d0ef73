// A mutex is unlocked twice on one path.
// expect: unlock of a mutex not held
#include <threads.h>

static mtx_t m;

static int work(int fails) {
  mtx_lock(&m);
  if (fails)
    mtx_unlock(&m);
  mtx_unlock(&m); // here
  return fails;
}

int main(void) {
  mtx_init(&m, mtx_plain);
  work(0);
  work(1);
  return 0;
}
