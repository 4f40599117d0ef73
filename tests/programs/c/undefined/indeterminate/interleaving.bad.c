// The result is set only if the other thread was quick.
// expect: indeterminate value
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;

static void *run(void *unused) {
  atomic_store(&ready, 1);
  return 0;
}

int main(void) {
  int r;
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (atomic_load(&ready))
    r = 1;
  pthread_join(t, 0);
  if (r) // here
    return 0;
  return 0;
}
