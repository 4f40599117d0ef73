// A release store and an acquire load: who sees the flag sees the pointer.
#include <pthread.h>
#include <stdatomic.h>

static int x = 1;
static _Atomic(int *) pointer;
static atomic_int flag;

static void *run(void *unused) {
  atomic_store_explicit(&pointer, &x, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire))
    if (*atomic_load_explicit(&pointer, memory_order_relaxed) != 1)
      return 1;
  pthread_join(t, 0);
  return 0;
}
