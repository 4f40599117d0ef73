// An indeterminate value goes through an atomic variable to another thread, which decides by it.
// expect: indeterminate value
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *run(void *unused) {
  int local[2];
  local[0] = 1;
  atomic_store(&x, local[1]); // here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (atomic_load(&x) == 3) // here
    x = 4;
  pthread_join(t, 0);
  return 0;
}
