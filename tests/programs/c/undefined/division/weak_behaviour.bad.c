// A thread divides by what it may see as 0.
// expect: invalid division
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor, ready;

static void *run(void *unused) {
  atomic_store_explicit(&divisor, 2, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int r = 0;
  if (atomic_load_explicit(&ready, memory_order_acquire))
    r = 8 / atomic_load_explicit(&divisor, memory_order_relaxed); // here
  pthread_join(t, 0);
  return r == 7;
}
