// A relaxed store by another thread breaks the release sequence.
// expect: data race
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *unused) {
  data = 1; // here
  atomic_store_explicit(&flag, 1, memory_order_release);
  return 0;
}

static void *other(void *unused) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, other, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
    data = 2; // here
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
