// The link of a new node was never set.
// expect: indeterminate value
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  if (head)
    n->next = head;
  return n;
}

int main(void) {
  struct node *list = push(push(0, 1), 2);
  int length = 0;
  for (struct node *n = list; n; n = n->next) // here
    length++;
  return length > 2;
}
