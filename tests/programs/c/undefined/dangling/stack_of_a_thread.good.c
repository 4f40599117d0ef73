// A thread writes to a variable of main, which joins it before the variable ends.
#include <assert.h>
#include <pthread.h>

static void *run(void *p) {
  *(int *)p = 4;
  return 0;
}

static int result(void) {
  int x = 0;
  pthread_t t;
  pthread_create(&t, 0, run, &x);
  pthread_join(t, 0);
  return x;
}

int main(void) {
  assert(result() == 4);
  return 0;
}
