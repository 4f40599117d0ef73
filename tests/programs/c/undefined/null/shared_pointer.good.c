// What was checked is what is used.
#include <pthread.h>
#include <stdatomic.h>

static int x = 1;
static _Atomic(int *) p = &x;

static void *run(void *unused) {
  atomic_store(&p, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int r = 0, *q = atomic_load(&p);
  if (q)
    r = *q;
  pthread_join(t, 0);
  return r > 1;
}
