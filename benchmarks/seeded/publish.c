// An object is made and published by a pointer; who finds the pointer reads the object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
  int key;
  int value;
};
static _Atomic(struct item *) published;

static void *maker(void *unused) {
  struct item *made = malloc(sizeof(struct item));
  made->key = 1;
  made->value = 2;
  atomic_store_explicit(&published, made, memory_order_release);
  return 0;
}

static void *user(void *unused) {
  struct item *seen = atomic_load_explicit(&published, memory_order_acquire);
  if (seen) assert(seen->key + seen->value == 3);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, maker, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
