// A struct is copied after the thread that writes one of its members was joined.
#include <assert.h>
#include <pthread.h>

struct s { int a, b, c; };
static struct s shared;

static void *run(void *unused) {
  shared.b = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  struct s copy = shared;
  assert(copy.b == 1);
  return 0;
}
