// A mutex with automatic storage is locked without having been initialised.
// expect: uninitialised read
#include <pthread.h>

int main(void) {
  pthread_mutex_t m;
  pthread_mutex_lock(&m); // here
  pthread_mutex_unlock(&m);
  return 0;
}
