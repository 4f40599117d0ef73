// A list that two threads push to, walked and freed at the end.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

struct node {
  struct node *next;
  char name[6];
  unsigned short weight;
};
static _Atomic(struct node *) head;

static int push(void *name) {
  struct node *n = malloc(sizeof *n);
  if (!n) return 1;
  memcpy(n->name, name, 4);
  n->weight = (unsigned short)(n->name[0] << 3);
  n->next = atomic_load(&head);
  while (!atomic_compare_exchange_weak(&head, &n->next, n)) {
  }
  return 0;
}

int main(void) {
  thrd_t t;
  int done = 0;
  thrd_create(&t, push, "abc");
  push("xyz");
  thrd_join(t, &done);
  unsigned sum = 0;
  for (struct node *n = head, *next; n; n = next) {
    next = n->next;
    sum += n->weight;
    free(n);
  }
  printf("%u %d %s\n", sum, done, "end");
  switch (sum % 3) {
    case 0: return 0;
    case 1: return (int)(sum / 7 * 2.5) < 0;
    default: return 0;
  }
}
