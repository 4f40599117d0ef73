// Read-copy-update with a grace period that asks each reader once, and does not notice that a reader which was outside has
// come in again with the old pointer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define READERS 3
static atomic_int current, inside[READERS];
static int nodes[3] = {1, 2, 3};

static void *reader(void *which) {
  for (int i = 0; i < 2; i++) {
    atomic_store_explicit(&inside[(long)which], 1, memory_order_relaxed);
    // missing: atomic_thread_fence(memory_order_seq_cst);
    int n = atomic_load_explicit(&current, memory_order_acquire);
    assert(nodes[n] != 0);
    atomic_store_explicit(&inside[(long)which], 0, memory_order_release);
  }
  return 0;
}

int main(void) {
  pthread_t t[READERS];
  for (long i = 0; i < READERS; i++) pthread_create(&t[i], 0, reader, (void *)i);
  for (int n = 1; n < 3; n++) {
    atomic_store_explicit(&current, n, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < READERS; i++)
      while (atomic_load_explicit(&inside[i], memory_order_acquire)) {
      }
    nodes[n - 1] = 0;  // freed
  }
  for (int i = 0; i < READERS; i++) pthread_join(t[i], 0);
}
