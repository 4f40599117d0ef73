// A hazard pointer: the reader announces what it is about to read, and looks again whether it is still there.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) head, hazard;

static void *reader(void *unused) {
  int *p = atomic_load_explicit(&head, memory_order_acquire);
  atomic_store_explicit(&hazard, p, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&head, memory_order_acquire) == p) (void)*(volatile int *)p;
  atomic_store_explicit(&hazard, 0, memory_order_release);
  return 0;
}

static void *replacer(void *unused) {
  int *fresh = malloc(sizeof(int));
  *fresh = 2;
  int *old = atomic_exchange_explicit(&head, fresh, memory_order_acq_rel);
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&hazard, memory_order_acquire) != old) free(old);
  return 0;
}

int main(void) {
  pthread_t a, b;
  int *first = malloc(sizeof(int));
  *first = 1;
  atomic_store_explicit(&head, first, memory_order_relaxed);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, replacer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
