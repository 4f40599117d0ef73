// Two threads increment a counter that has room for one.
// expect: signed overflow
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n = INT_MAX - 1;

static void *run(void *unused) {
  pthread_mutex_lock(&m);
  n = n + 1; // here
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  run(0);
  pthread_join(t, 0);
  return 0;
}
