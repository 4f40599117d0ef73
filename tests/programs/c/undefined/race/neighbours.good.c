// Two threads write neighbouring elements of an array of characters.
#include <assert.h>
#include <pthread.h>

static char a[4];

static void *run(void *unused) {
  a[2] = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  a[3] = 2;
  pthread_join(t, 0);
  assert(a[2] == 1 && a[3] == 2);
  return 0;
}
