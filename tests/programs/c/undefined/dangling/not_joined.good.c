// A function waits until a thread says that it no longer needs a variable.
#include <pthread.h>
#include <stdatomic.h>

static pthread_t t;
static atomic_int done;

static void *run(void *p) {
  atomic_load((atomic_int *)p);
  atomic_store(&done, 1);
  return 0;
}

static void start(void) {
  atomic_int x;
  atomic_init(&x, 1);
  pthread_create(&t, 0, run, &x);
  while (!atomic_load(&done))
    ;
}

int main(void) {
  start();
  pthread_join(t, 0);
  return 0;
}
