// Two threads share an object, and each frees it.
// expect: double free
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *run(void *unused) {
  free(shared); // here
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
