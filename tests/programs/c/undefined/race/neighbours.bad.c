// Two threads write the same element of an array of characters.
// expect: data race
#include <pthread.h>

static char a[4];

static void *run(void *unused) {
  a[2] = 1; // here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  a[2] = 2; // here
  pthread_join(t, 0);
  return 0;
}
