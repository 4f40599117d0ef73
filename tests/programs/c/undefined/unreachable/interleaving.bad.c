// A thread sees a state that was promised to be impossible.
// expect: unreachable code
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state = 1;

static void *run(void *unused) {
  atomic_store(&state, 0);
  atomic_store(&state, 2);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (atomic_load(&state) == 0)
    __builtin_unreachable(); // here
  pthread_join(t, 0);
  return 0;
}
