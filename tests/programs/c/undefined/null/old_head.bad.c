// The old head of an empty stack is null.
// expect: invalid pointer
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
  struct node *old = atomic_load(&top);
  int v = old->v; // here
  pthread_join(t, 0);
  return v != 1;
}
