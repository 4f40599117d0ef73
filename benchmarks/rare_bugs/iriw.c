// Two readers that see the writes of two threads in opposite orders, from the first to the last: acquire reads may.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WRITES 3
static atomic_int x, y;
static int only_x, only_y;

static void *write_all(void *place) {
  for (int i = 1; i <= WRITES; i++) atomic_store_explicit((atomic_int *)place, i, memory_order_release);
  return 0;
}

static void *read_x_first(void *unused) {
  int a = atomic_load_explicit(&x, memory_order_acquire), b = atomic_load_explicit(&y, memory_order_acquire);
  only_x = a == WRITES && b == 0;
  return 0;
}

static void *read_y_first(void *unused) {
  int b = atomic_load_explicit(&y, memory_order_acquire), a = atomic_load_explicit(&x, memory_order_acquire);
  only_y = b == WRITES && a == 0;
  return 0;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, write_all, &x);
  pthread_create(&t[1], 0, write_all, &y);
  pthread_create(&t[2], 0, read_x_first, 0);
  pthread_create(&t[3], 0, read_y_first, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(!(only_x && only_y));
}
