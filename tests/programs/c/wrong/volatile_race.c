// Volatile variables are not atomic.
#include <pthread.h>

volatile int flag;

static void *writer(void *unused) {
  flag = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int seen = flag;
  pthread_join(thread, 0);
  return seen;
}
