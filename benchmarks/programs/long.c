// long(N): a race of two threads, two increments and a store buffering each, after N steps that no other thread sees.
// Parameters: N steps; PHASE says what they are, see below.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 1000
#endif
// 0: main initialises an array; 1: each thread an array of its own; 2: each makes and frees a list; 3: each counts;
// 4: main fills a table, which the threads read; 5: main makes a list, its last node first, which the threads walk along;
// 6: each thread fills an array, which main reads when it has joined them
#ifndef PHASE
#define PHASE 0
#endif

struct node {
  struct node *next;
  int value;
};

static atomic_int x, y, turns, progress[2];
static int pool[2][N];
static struct node *list;

static void work(int self) {
#if PHASE == 1 || PHASE == 6
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
#elif PHASE == 4
  long sum = 0;
  for (int i = 0; i < N; i++) sum += pool[0][i];
  if (sum != (long)N * (N - 1) / 2) abort();
#elif PHASE == 5
  int length = 0;
  for (struct node *n = list; n; n = n->next) length++;
  if (length != N) abort();
#endif
}

static void *run(void *argument) {
  int self = (int)(long)argument;
  work(self);
  atomic_fetch_add_explicit(&turns, 1, memory_order_acq_rel);
  atomic_store_explicit(self ? &x : &y, 1, memory_order_release);
  (void)atomic_load_explicit(self ? &y : &x, memory_order_acquire);
  atomic_fetch_add_explicit(&turns, 1, memory_order_acq_rel);
  return 0;
}

int main(void) {
  pthread_t threads[2];
#if PHASE == 0 || PHASE == 4
  for (int i = 0; i < N; i++) pool[0][i] = i;
#elif PHASE == 5
  for (int i = 0; i < N; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = list;
    n->value = i;
    list = n;
  }
#endif
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
#if PHASE == 5
  while (list) {
    struct node *n = list->next;
    free(list);
    list = n;
  }
#elif PHASE == 6
  for (int i = 0; i < N; i++)
    if (pool[0][i] != pool[1][i]) abort();
#endif
  return 0;
}
