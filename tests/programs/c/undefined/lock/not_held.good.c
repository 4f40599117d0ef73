// A mutex is unlocked on the paths that have locked it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void leave(int locked) {
  if (locked)
    pthread_mutex_unlock(&m);
}

int main(int argc, char **argv) {
  int locked = argc > 5;
  if (locked)
    pthread_mutex_lock(&m);
  leave(locked);
  return 0;
}
