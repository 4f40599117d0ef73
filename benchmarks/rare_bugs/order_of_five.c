// Five threads must make their steps in one order, and a step that comes at a wrong time undoes all.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *step(void *which) {
  int me = (int)(long)which;
  for (int i = 0; i < 3; i++) {
    int seen = me;
    atomic_compare_exchange_strong(&state, &seen, me + 1);
    if (seen != me && seen != 0 && i == 1) atomic_compare_exchange_strong(&state, &seen, 0);
  }
  return 0;
}

int main(void) {
  pthread_t t[5];
  for (long i = 0; i < 5; i++) pthread_create(&t[i], 0, step, (void *)(4 - i));
  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);
  assert(atomic_load(&state) != 5);
}
