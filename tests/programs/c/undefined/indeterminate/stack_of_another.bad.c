// A thread reads a variable of main that was never set.
// expect: indeterminate value
#include <pthread.h>

static void *run(void *p) {
  if (*(int *)p == 1) // here
    return p;
  return 0;
}

int main(void) {
  int x;
  pthread_t t;
  pthread_create(&t, 0, run, &x);
  pthread_join(t, 0);
  return 0;
}
