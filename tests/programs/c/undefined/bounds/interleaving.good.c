// Two threads push at once, and a compare-exchange checks and increments.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int size, slots[1];

static void *push(void *unused) {
  int i = 0;
  if (atomic_compare_exchange_strong(&size, &i, 1))
    atomic_store(&slots[i], 7);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, 0);
  push(0);
  pthread_join(t, 0);
  return 0;
}
