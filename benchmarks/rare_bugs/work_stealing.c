// A deque whose owner begins at 0 again when it is empty: a thief that saw the old top takes a job twice (ABA).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom, jobs[4], done[8];

static void run(int job) {
  if (job) assert(atomic_exchange(&done[job], 1) == 0);
}

static void push(int job) {
  int b = atomic_load(&bottom);
  atomic_store(&jobs[b], job);
  atomic_store(&bottom, b + 1);
}

static int pop(void) {
  int b = atomic_load(&bottom) - 1;
  if (b < 0) return 0;
  atomic_store(&bottom, b);
  int t = atomic_load(&top), job = atomic_load(&jobs[b]);
  if (t < b) return job;
  int won = t == b && atomic_compare_exchange_strong(&top, &t, t + 1);
  atomic_store(&bottom, 0);
  atomic_store(&top, 0);
  return won ? job : 0;
}

static int steal(void) {
  int t = atomic_load(&top), b = atomic_load(&bottom);
  if (t >= b) return 0;
  int job = atomic_load(&jobs[t]);
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? job : 0;
}

static void *owner(void *unused) {
  push(1);
  push(2);
  run(pop());
  run(pop());
  push(3);
  push(4);
  run(pop());
  return 0;
}

static void *thief(void *unused) {
  run(steal());
  run(steal());
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, owner, 0);
  pthread_create(&t[1], 0, thief, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
