// A counter on the heap is set before threads increment it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *run(void *counter) {
  atomic_fetch_add((atomic_int *)counter, 1);
  return 0;
}

int main(void) {
  atomic_int *counter = malloc(sizeof *counter);
  atomic_init(counter, 0);
  pthread_t t;
  pthread_create(&t, 0, run, counter);
  pthread_join(t, 0);
  assert(*counter == 1);
  return 0;
}
