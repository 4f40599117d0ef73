// A seqlock whose data is relaxed, with the fences that it needs.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, left, right;

static void *writer(void *unused) {
  atomic_store_explicit(&sequence, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&left, 1, memory_order_relaxed);
  atomic_store_explicit(&right, 1, memory_order_relaxed);
  atomic_store_explicit(&sequence, 2, memory_order_release);
  return 0;
}

static void *reader(void *unused) {
  int before = atomic_load_explicit(&sequence, memory_order_acquire);
  if (before & 1) return 0;
  int a = atomic_load_explicit(&left, memory_order_relaxed);
  int b = atomic_load_explicit(&right, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  if (atomic_load_explicit(&sequence, memory_order_relaxed) == before) assert(a == b);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, reader, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
