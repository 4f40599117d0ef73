// long(N): a race of two threads, an increment and a store buffering, after N steps that no other thread sees.
// Parameters: N steps; PHASE says what they are, see below.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 1000
#endif
// 0: main initialises an array; 1: each thread an array of its own; 2: each makes and frees a list; 3: each counts
#ifndef PHASE
#define PHASE 0
#endif

struct node {
  struct node *next;
  int value;
};

static atomic_int x, y, turns, progress[2];
static int pool[2][N];

static void work(int self) {
#if PHASE == 1
  for (int i = 0; i < N; i++) pool[self][i] = i;
#elif PHASE == 2
  struct node *head = 0;
  for (int i = 0; i < N; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    n->value = i;
    head = n;
  }
  while (head) {
    struct node *n = head->next;
    free(head);
    head = n;
  }
#elif PHASE == 3
  for (int i = 0; i < N; i++) atomic_fetch_add_explicit(&progress[self], 1, memory_order_relaxed);
#endif
}

static void *run(void *argument) {
  int self = (int)(long)argument;
  work(self);
  atomic_fetch_add_explicit(&turns, 1, memory_order_acq_rel);
  atomic_store_explicit(self ? &x : &y, 1, memory_order_release);
  (void)atomic_load_explicit(self ? &y : &x, memory_order_acquire);
  return 0;
}

int main(void) {
  pthread_t threads[2];
#if PHASE == 0
  for (int i = 0; i < N; i++) pool[0][i] = i;
#endif
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
