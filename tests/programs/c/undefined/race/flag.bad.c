// A plain flag tells another thread that data is ready.
// expect: data race
#include <pthread.h>

static int data, ready;

static void *run(void *unused) {
  data = 1;
  ready = 1; // here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (ready) // here
    data = 2;
  pthread_join(t, 0);
  return 0;
}
