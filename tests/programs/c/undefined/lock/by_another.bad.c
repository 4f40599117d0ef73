// A mutex is unlocked by a thread that does not hold it.
// expect: unlock of a mutex not held
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
  pthread_mutex_unlock(&m); // here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
