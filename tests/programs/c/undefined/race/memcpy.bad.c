// memcpy reads an array while another thread writes one element.
// expect: data race
#include <pthread.h>
#include <string.h>

static int a[4];

static void *run(void *unused) {
  a[3] = 1; // here
  return 0;
}

int main(void) {
  int b[4];
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  memcpy(b, a, sizeof b); // here
  pthread_join(t, 0);
  return b[0];
}
