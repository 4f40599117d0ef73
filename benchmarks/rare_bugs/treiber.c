// A stack (Treiber) that uses its nodes again: between reading a node's successor and taking the node, the node may have
// gone and come back (ABA).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 4
static atomic_int top = 1, next[NODES + 1] = {0, 2, 3, 0, 0}, owned[NODES + 1];

static int pop(void) {
  int n = atomic_load(&top);
  while (n != 0) {
    int after = atomic_load(&next[n]);
    if (atomic_compare_exchange_strong(&top, &n, after)) break;
  }
  return n;
}

static void push(int n) {
  int t = atomic_load(&top);
  do atomic_store(&next[n], t);
  while (!atomic_compare_exchange_strong(&top, &t, n));
}

static void own(int n) {
  if (n) assert(atomic_exchange(&owned[n], 1) == 0);
}

static void *slow(void *unused) {
  own(pop());
  own(pop());
  return 0;
}

static void *fast(void *unused) {
  int a = pop(), b = pop();
  if (b) own(b);
  if (a) push(a);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, slow, 0);
  pthread_create(&t[1], 0, fast, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
