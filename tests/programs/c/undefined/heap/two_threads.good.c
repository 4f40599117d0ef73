// The thread that takes the pointer by an exchange frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *run(void *unused) {
  free(atomic_exchange(&shared, 0));
  return 0;
}

int main(void) {
  shared = malloc(4);
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, run, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
