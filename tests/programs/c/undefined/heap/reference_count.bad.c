// The last decrement of a reference count is relaxed: it does not order the other thread's access before the free.
// expect: use after free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object { atomic_int count; int value; };

static void drop(struct object *o) {
  if (o->value == 3 && atomic_fetch_sub_explicit(&o->count, 1, memory_order_relaxed) == 1) // here
    free(o); // here
}

static void *run(void *o) {
  drop(o);
  return 0;
}

int main(void) {
  struct object *o = malloc(sizeof *o);
  atomic_init(&o->count, 2);
  o->value = 3;
  pthread_t t;
  pthread_create(&t, 0, run, o);
  drop(o);
  pthread_join(t, 0);
  return 0;
}
