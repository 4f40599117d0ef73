// The variable of a thread can be read by another one as long as that thread runs.
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 3;

static void *run(void *p) {
  assert(mine == 3);
  return *(int *)p == 4 ? p : 0;
}

int main(void) {
  pthread_t t;
  void *result;
  mine = 4;
  pthread_create(&t, 0, run, &mine);
  pthread_join(t, &result);
  assert(result == &mine);
  return 0;
}
