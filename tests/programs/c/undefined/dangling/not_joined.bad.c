// A function gives a thread the address of a variable and returns before the thread has read it.
// expect: use after free
#include <pthread.h>
#include <stdatomic.h>

static pthread_t t;

static void *run(void *p) {
  atomic_load((atomic_int *)p); // here
  return 0;
}

static void start(void) {
  atomic_int x;
  atomic_init(&x, 1);
  pthread_create(&t, 0, run, &x);
} // here

int main(void) {
  start();
  pthread_join(t, 0);
  return 0;
}
