// Peterson's lock with release and acquire instead of sequential consistency: both may enter, in the last of many rounds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 5
static atomic_int wants[2], turn, inside;

static void *enter(void *which) {
  int me = (int)(long)which;
  for (int i = 0; i < ROUNDS; i++) {
    atomic_store(&wants[me], 1);
    if (i == ROUNDS - 1) {
      atomic_store_explicit(&turn, 1 - me, memory_order_release);
      while (atomic_load_explicit(&wants[1 - me], memory_order_acquire) &&
             atomic_load_explicit(&turn, memory_order_acquire) == 1 - me) {
      }
    } else {
      atomic_store(&turn, 1 - me);
      while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me) {
      }
    }
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store_explicit(&wants[me], 0, memory_order_release);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, enter, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
