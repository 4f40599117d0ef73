// What was read atomically overflows when it is added to.
// expect: signed overflow
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = INT_MAX;

static void *run(void *unused) {
  atomic_store(&x, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int y = atomic_load(&x) + 1; // here
  pthread_join(t, 0);
  return y == 7;
}
