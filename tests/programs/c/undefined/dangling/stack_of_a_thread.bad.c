// A thread publishes its own variable; main reads it after the thread has ended.
// expect: use after free
#include <pthread.h>

static int *shared;

static void *run(void *unused) {
  int x = 4;
  shared = &x;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return *shared != 4; // here
}
