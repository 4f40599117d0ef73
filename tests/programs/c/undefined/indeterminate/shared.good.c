// A thread publishes a struct of which one member was never set, and nobody uses that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message { int kind, body; };
static _Atomic(struct message *) box;

static void *send(void *unused) {
  struct message *m = malloc(sizeof *m);
  m->kind = 1;
  atomic_store(&box, m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, send, 0);
  struct message *m = atomic_load(&box), copy;
  if (m) {
    copy = *m;
    assert(copy.kind == 1);
  }
  pthread_join(t, 0);
  return 0;
}
