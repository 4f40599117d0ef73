// A mutex is destroyed while it is locked.
// expect: assertion
#include <pthread.h>

int main(void) {
  pthread_mutex_t m;
  pthread_mutex_init(&m, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_destroy(&m); // here
  return 0;
}
