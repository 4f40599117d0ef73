// A bug of depth three: three threads must meet in one order in the middle of much else.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WORK 12
static atomic_int state, noise;

static void work(void) {
  for (int i = 0; i < WORK; i++) atomic_fetch_add_explicit(&noise, 1, memory_order_relaxed);
}

static void *step(void *which) {
  int n = (int)(long)which, seen = n;
  work();
  atomic_compare_exchange_strong(&state, &seen, n + 1);
  work();
  return 0;
}

int main(void) {
  pthread_t t[4];
  for (long i = 3; i >= 0; i--) pthread_create(&t[i], 0, step, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(atomic_load(&state) != 4);
}
