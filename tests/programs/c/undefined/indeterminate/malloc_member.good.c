// The links of all nodes are set.
#include <assert.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = head;
  return n;
}

int main(void) {
  struct node *list = push(push(0, 1), 2);
  int length = 0;
  for (struct node *n = list; n; n = n->next)
    length++;
  assert(length == 2);
  return 0;
}
