// No thread sees the state that was promised to be impossible.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state = 1;

static void *run(void *unused) {
  atomic_store(&state, 2);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (atomic_load(&state) == 0)
    __builtin_unreachable();
  pthread_join(t, 0);
  return 0;
}
