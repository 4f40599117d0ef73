// One try of a weak compare-exchange is not enough.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *run(void *unused) {
  int old = atomic_load(&x);
  atomic_compare_exchange_weak(&x, &old, old + 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(atomic_load(&x) == 1); // here
  return 0;
}
