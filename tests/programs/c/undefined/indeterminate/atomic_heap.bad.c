// A counter on the heap was never set; threads increment it.
// expect: uninitialised read
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *run(void *counter) {
  atomic_fetch_add((atomic_int *)counter, 1); // here
  return 0;
}

int main(void) {
  atomic_int *counter = malloc(sizeof *counter);
  pthread_t t;
  pthread_create(&t, 0, run, counter);
  pthread_join(t, 0);
  if (*counter == 1) // here
    return 1;
  return 0;
}
