// A thread sets a variable of main, which reads it after joining the thread.
#include <assert.h>
#include <pthread.h>

static void *run(void *p) {
  *(int *)p = 1;
  return 0;
}

int main(void) {
  int x;
  pthread_t t;
  pthread_create(&t, 0, run, &x);
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}
