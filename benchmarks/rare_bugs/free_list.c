// A list of free nodes that three threads use again and again: the head may have gone and come back (ABA).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 6
static atomic_int top = 1, next[NODES + 1] = {0, 2, 3, 4, 5, 6, 0}, owned[NODES + 1];

static int take(void) {
  int n = atomic_load(&top);
  while (n != 0) {
    int after = atomic_load(&next[n]);
    if (atomic_compare_exchange_strong(&top, &n, after)) break;
  }
  return n;
}

static void give(int n) {
  int t = atomic_load(&top);
  do atomic_store(&next[n], t);
  while (!atomic_compare_exchange_strong(&top, &t, n));
}

static void *use(void *unused) {
  for (int i = 0; i < 4; i++) {
    int n = take();
    if (n == 0) continue;
    assert(atomic_exchange(&owned[n], 1) == 0);
    atomic_store(&owned[n], 0);
    give(n);
  }
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, use, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
