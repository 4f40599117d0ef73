// A bit-field of width 0 separates two memory locations.
#include <assert.h>
#include <pthread.h>

static struct { unsigned char a : 4, : 0, b : 4; } s;

static void *run(void *unused) {
  s.a = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  s.b = 2;
  pthread_join(t, 0);
  assert(s.a == 1 && s.b == 2);
  return 0;
}
