// An atomic flag tells another thread that data is ready.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *run(void *unused) {
  data = 1;
  ready = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (ready)
    assert(data == 1);
  pthread_join(t, 0);
  return 0;
}
