// A mutex is locked after it was destroyed.
// expect: deadlock
#include <pthread.h>

int main(void) {
  pthread_mutex_t m;
  pthread_mutex_init(&m, 0);
  pthread_mutex_destroy(&m);
  pthread_mutex_lock(&m); // here
  return 0;
}
