// The variable is set unless both threads read 0, which SC accesses forbid.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int a, b;

static void *left(void *unused) {
  atomic_store(&x, 1);
  a = atomic_load(&y);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, left, 0);
  atomic_store(&y, 1);
  b = atomic_load(&x);
  pthread_join(t, 0);
  int r;
  if (a || b)
    r = 1;
  if (r == 1)
    return 0;
  return 1;
}
