// A function that is never defined, which only some executions call.
// refused: unsupported: a call to 'mystery', which is not defined
#include <pthread.h>
#include <stdatomic.h>

void mystery(void);
static atomic_int x;

static void *client(void *unused) {
  atomic_store(&x, 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, client, 0);
  if (atomic_load(&x)) mystery(); // here
  pthread_join(thread, 0);
  return 0;
}
