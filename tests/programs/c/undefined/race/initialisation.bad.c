// atomic_init is not atomic: it races with a load.
// expect: data race
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *run(void *unused) {
  atomic_init(&x, 1); // here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int r = atomic_load(&x); // here
  pthread_join(t, 0);
  return r == 7;
}
