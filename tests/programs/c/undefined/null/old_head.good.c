// After joining the thread that pushes, the stack is not empty.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int v; struct node *next; };
static _Atomic(struct node *) top;

static void *push(void *unused) {
  struct node *n = malloc(sizeof *n);
  n->next = 0;
  n->v = 1;
  atomic_store(&top, n);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, 0);
  pthread_join(t, 0);
  struct node *old = atomic_load(&top);
  assert(old->v == 1);
  return 0;
}
