// A struct is copied while another thread writes one of its members.
// expect: data race
#include <pthread.h>

struct s { int a, b, c; };
static struct s shared;

static void *run(void *unused) {
  shared.b = 1; // here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  struct s copy = shared; // here
  pthread_join(t, 0);
  return copy.a;
}
