// One execution calls what nobody defines; another one has a bug, and that counts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void mystery(void);
static atomic_int x;

static void *client(void *unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, client, 0);
  int seen = atomic_load(&x);
  if (seen == 0) mystery();
  assert(seen != 1);
  if (seen == 2) mystery();
  pthread_join(thread, 0);
  return 0;
}
