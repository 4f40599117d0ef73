// Read-copy-update: what was replaced is freed when the reader is outside.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) current;
static atomic_int inside;

static void *reader(void *unused) {
  atomic_store_explicit(&inside, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int *p = atomic_load_explicit(&current, memory_order_acquire);
  (void)*(volatile int *)p;
  atomic_store_explicit(&inside, 0, memory_order_release);
  return 0;
}

static void *updater(void *unused) {
  int *fresh = malloc(sizeof(int));
  *fresh = 2;
  int *old = atomic_load_explicit(&current, memory_order_relaxed);
  atomic_store_explicit(&current, fresh, memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
  while (atomic_load_explicit(&inside, memory_order_acquire)) {
  }
  free(old);
  return 0;
}

int main(void) {
  pthread_t a, b;
  int *first = malloc(sizeof(int));
  *first = 1;
  atomic_store_explicit(&current, first, memory_order_relaxed);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, updater, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
