// The result is set because the other thread was joined.
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
  pthread_join(t, 0);
  if (atomic_load(&ready))
    r = 1;
  if (r)
    return 0;
  return 1;
}
