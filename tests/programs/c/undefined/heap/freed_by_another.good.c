// A thread frees what another one has read, after joining it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *reader(void *unused) {
  int *p = atomic_load(&shared);
  if (p && *p != 3)
    return p;
  return 0;
}

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 3;
  atomic_store(&shared, p);
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  atomic_store(&shared, 0);
  pthread_join(t, 0);
  free(p);
  return 0;
}
