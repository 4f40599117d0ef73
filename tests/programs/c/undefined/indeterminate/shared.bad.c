// A thread publishes a struct of which one member was never set, and another one uses it.
// expect: indeterminate value
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
  struct message *m = atomic_load(&box);
  if (m && m->body == 3) // here
    m->kind = 2;
  pthread_join(t, 0);
  return 0;
}
