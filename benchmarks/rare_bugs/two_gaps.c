// Two readers must each meet the writer between the same two of its eighty writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WRITES 40
static atomic_int first, second, met;

static void *writer(void *unused) {
  for (int i = 1; i <= WRITES; i++) {
    atomic_store(&first, i);
    atomic_store(&second, i);
  }
  return 0;
}

static void *reader(void *unused) {
  int a = atomic_load(&first), b = atomic_load(&second);
  if (a == WRITES / 2 && b == WRITES / 2 - 1) atomic_fetch_add(&met, 1);
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, writer, 0);
  for (int i = 1; i < 3; i++) pthread_create(&t[i], 0, reader, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(atomic_load(&met) < 2);
}
