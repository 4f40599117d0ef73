// A bit-field and the member after it are two memory locations.
#include <assert.h>
#include <pthread.h>

static struct { int count : 7; char other; } s;

static void *run(void *unused) {
  s.count = 3;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  s.other = 4;
  pthread_join(t, 0);
  assert(s.count == 3 && s.other == 4);
  return 0;
}
