// An atomic variable is initialised before the thread starts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *run(void *unused) {
  atomic_store(&x, 2);
  return 0;
}

int main(void) {
  atomic_init(&x, 1);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int r = atomic_load(&x);
  assert(r == 1 || r == 2);
  pthread_join(t, 0);
  return 0;
}
