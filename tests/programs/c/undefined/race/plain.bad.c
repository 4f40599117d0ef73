// Two threads increment a plain counter.
// expect: data race
#include <pthread.h>

static int n;

static void *run(void *unused) {
  n++; // here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  run(0);
  pthread_join(t, 0);
  return 0;
}
