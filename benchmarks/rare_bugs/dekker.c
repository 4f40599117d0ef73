// Dekker's lock, in which one thread has no fence after it says that it wants the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(x) atomic_load_explicit(&(x), memory_order_acquire)
#define STORE(x, value) atomic_store_explicit(&(x), value, memory_order_release)
static atomic_int wants[2], turn, inside;

static void *work(void *number) {
  int me = (int)(long)number, other = 1 - me;
  for (int i = 0; i < 2; i++) {
    STORE(wants[me], 1);
    if (me == 0) atomic_thread_fence(memory_order_seq_cst);
    while (LOAD(wants[other])) {
      if (LOAD(turn) == me) continue;
      STORE(wants[me], 0);
      while (LOAD(turn) != me) {
      }
      STORE(wants[me], 1);
      atomic_thread_fence(memory_order_seq_cst);
    }
    assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
    atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
    STORE(turn, other);
    STORE(wants[me], 0);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
