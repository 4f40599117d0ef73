// Two threads write two bit-fields that share a memory location.
// expect: data race
#include <pthread.h>

static struct { unsigned a : 4, b : 4; } s;

static void *run(void *unused) {
  s.a = 1; // here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  s.b = 2; // here
  pthread_join(t, 0);
  return 0;
}
