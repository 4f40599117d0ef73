// One thread reads a bit-field while another one writes its neighbour.
// expect: data race
#include <pthread.h>

static struct { int ready : 1; int count : 7; char other; } s;

static void *run(void *unused) {
  s.count = 3; // here
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int r = s.ready; // here
  pthread_join(t, 0);
  return r;
}
