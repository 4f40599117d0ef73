// A detached thread is left alone.
#include <pthread.h>

static void *run(void *unused) { return 0; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_detach(t);
  return 0;
}
