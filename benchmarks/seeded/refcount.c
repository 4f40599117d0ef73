// An object with a count of its users: the last one frees it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  atomic_int users;
  int value;
};

static void *user(void *shared) {
  struct object *o = shared;
  (void)*(volatile int *)&o->value;
  if (atomic_fetch_sub_explicit(&o->users, 1, memory_order_acq_rel) == 1) free(o);
  return 0;
}

int main(void) {
  pthread_t t[2];
  struct object *o = malloc(sizeof(struct object));
  atomic_init(&o->users, 2);
  o->value = 1;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, user, o);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
