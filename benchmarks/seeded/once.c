// Double-checked locking: who sees that it is ready does not take the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int value;

static void *user(void *unused) {
  if (!atomic_load_explicit(&ready, memory_order_acquire)) {
    pthread_mutex_lock(&mutex);
    if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
      value = 42;
      atomic_store_explicit(&ready, 1, memory_order_release);
    }
    pthread_mutex_unlock(&mutex);
  }
  assert(value == 42);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, user, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
