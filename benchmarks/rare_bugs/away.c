// A reader must be away between its two steps for nearly all of the 360 steps of three others.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define STEPS 120
static atomic_int count;

static void *counter(void *unused) {
  for (int i = 0; i < STEPS; i++) atomic_fetch_add(&count, 1);
  return 0;
}

static void *reader(void *unused) {
  int before = atomic_load(&count), after = atomic_load(&count);
  assert(after - before < 3 * STEPS - 10);
  return 0;
}

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, i < 3 ? counter : reader, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}
