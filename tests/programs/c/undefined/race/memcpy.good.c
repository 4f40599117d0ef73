// memcpy reads the part of an array that no other thread writes.
#include <pthread.h>
#include <string.h>

static int a[4];

static void *run(void *unused) {
  a[3] = 1;
  return 0;
}

int main(void) {
  int b[4];
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  memcpy(b, a, 3 * sizeof *b);
  pthread_join(t, 0);
  return b[0];
}
