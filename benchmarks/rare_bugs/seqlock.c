// A seqlock whose reader lacks the fence before its second look at the sequence: it may miss that a writer was there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 6
static atomic_int sequence, left, right;

static void *writer(void *unused) {
  for (int i = 1; i <= ROUNDS; i++) {
    atomic_store_explicit(&sequence, 2 * i - 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&left, i, memory_order_relaxed);
    atomic_store_explicit(&right, i, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2 * i, memory_order_release);
  }
  return 0;
}

static void *reader(void *unused) {
  for (int i = 0; i < 3; i++) {
    int before = atomic_load_explicit(&sequence, memory_order_acquire);
    if (before & 1) continue;
    int a = atomic_load_explicit(&left, memory_order_relaxed);
    int b = atomic_load_explicit(&right, memory_order_relaxed);
    // missing: atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&sequence, memory_order_relaxed) == before) assert(a == b);
  }
  return 0;
}

int main(void) {
  pthread_t w, r[2];
  pthread_create(&w, 0, writer, 0);
  for (int i = 0; i < 2; i++) pthread_create(&r[i], 0, reader, 0);
  pthread_join(w, 0);
  for (int i = 0; i < 2; i++) pthread_join(r[i], 0);
}
