// The variable of a thread is gone when the thread has ended.
// expect: use after free
#include <pthread.h>

static _Thread_local int mine = 3;
static int *shared;

static void *run(void *unused) {
  shared = &mine;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return *shared != 3; // here
}
