// executions: rc11 2, sc 2
// An array of atomic counters, indexed by a variable, does not reach into the pointers that follow it in its structure.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node { _Atomic unsigned counter; void *bin; };
struct queue {
  struct node tree[3];
  struct { struct node *first; unsigned (*random)(void); } leaves[2];
  void (*retire)(int *);
  void *argument;
} q, *heap;
static int retired;

static void retire(int *by) { retired += *by; }
static unsigned random_number(void) { return 1; }

static void init(struct queue *queue, void (*callback)(int *)) {
  queue->retire = callback;
  for (size_t i = 0; i < 2; i++) queue->leaves[i].random = random_number;
  struct node *tree = queue->tree;
  for (size_t i = 0; i < 3; i++) atomic_store_explicit(&tree[i].counter, 0, memory_order_relaxed);
}

static void add(struct queue *queue, size_t at) {
  for (; at; at = (at - 1) / 2) {
    struct node *parent = &queue->tree[(at - 1) / 2];
    atomic_fetch_add_explicit(&parent->counter, 1, memory_order_relaxed);
  }
}

static void *client(void *argument) {
  add(&q, q.leaves[1].random() + 1);
  return argument;
}

int main(void) {
  pthread_t one, two;
  init(&q, retire);
  heap = malloc(sizeof *heap);
  init(heap, retire);
  pthread_create(&one, 0, client, 0);
  pthread_create(&two, 0, client, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  int by = 3;
  q.retire(&by);
  assert(heap->retire == retire && heap->leaves[1].random == random_number);
  assert(retired == 3 && q.tree[0].counter == 2);
  return 0;
}
