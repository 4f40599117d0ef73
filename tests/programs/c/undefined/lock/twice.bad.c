// A mutex that is not recursive is locked twice.
// expect: deadlock
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void inner(void) {
  pthread_mutex_lock(&m); // here
  pthread_mutex_unlock(&m);
}

int main(void) {
  pthread_mutex_lock(&m);
  inner();
  pthread_mutex_unlock(&m);
  return 0;
}
