// Double-checked locking whose first check is relaxed: who sees the pointer need not see what it points to.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WORK 8
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready, busy[4];
static int value;

static int instance(void) {
  if (!atomic_load_explicit(&ready, memory_order_relaxed)) {  // should be acquire
    pthread_mutex_lock(&mutex);
    if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
      value = 42;
      atomic_store_explicit(&ready, 1, memory_order_release);
    }
    pthread_mutex_unlock(&mutex);
  }
  return value;
}

static void *user(void *which) {
  for (int i = 0; i < WORK; i++) atomic_fetch_add(&busy[(long)which], 1);
  assert(instance() == 42);
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, user, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
