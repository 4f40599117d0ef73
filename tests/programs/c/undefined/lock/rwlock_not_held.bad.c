// A read-write lock is unlocked without having been locked.
// expect: assertion
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_unlock(&l); // here
  return 0;
}
