// A thread is joined twice.
// expect: join of no thread
#include <pthread.h>

static void *run(void *unused) { return 0; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t, 0); // here
  return 0;
}
