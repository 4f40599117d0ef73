// Two threads push at once, and the check of the size is not atomic with the increment.
// expect: out of bounds
#include <pthread.h>
#include <stdatomic.h>

static atomic_int size, slots[1];

static void *push(void *unused) {
  if (atomic_load(&size) < 1)
    atomic_store(&slots[atomic_fetch_add(&size, 1)], 7); // here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, 0);
  push(0);
  pthread_join(t, 0);
  return 0;
}
