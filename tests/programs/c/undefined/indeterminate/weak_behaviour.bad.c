// The variable is set unless both threads read 0, which store buffering with relaxed accesses allows.
// expect: indeterminate value
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int a, b;

static void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, left, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  int r;
  if (a || b)
    r = 1;
  if (r == 1) // here
    return 1;
  return 0;
}
