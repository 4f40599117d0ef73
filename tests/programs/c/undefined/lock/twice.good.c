// A recursive mutex is locked twice.
#include <pthread.h>

static pthread_mutex_t m;

static void inner(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
}

int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &a);
  pthread_mutex_lock(&m);
  inner();
  pthread_mutex_unlock(&m);
  return 0;
}
