// A mutex is unlocked on a path that has not locked it.
// expect: unlock of a mutex not held
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void leave(int locked) {
  pthread_mutex_unlock(&m); // here
}

int main(int argc, char **argv) {
  int locked = argc > 5;
  if (locked)
    pthread_mutex_lock(&m);
  leave(locked);
  return 0;
}
