// A thread takes the pointer away between the check and the use.
// expect: invalid pointer
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
  int r = 0;
  if (atomic_load(&p))
    r = *atomic_load(&p); // here
  pthread_join(t, 0);
  return r > 1;
}
