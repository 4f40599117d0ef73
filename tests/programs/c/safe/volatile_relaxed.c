// arguments: --volatile relaxed
// executions: rc11 4, cpp20 4, sc 3
// With relaxed volatile accesses there is no race, and all that relaxed accesses can do.
#include <pthread.h>

volatile int flag, data;
volatile struct { int a; char b[3]; } whole;

static void *writer(void *unused) {
  data = 1;
  flag = 1;
  return 0;
}

int main(void) {
  volatile int mine = 2;
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int seen = flag, found = data + mine;
  pthread_join(thread, 0);
  whole.a = seen + found;
  return 0;
}
