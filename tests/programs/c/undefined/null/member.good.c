// A search that stops at the null pointer.
#include <assert.h>

struct node { int key; struct node *next; };

static struct node last = {2, 0}, first = {1, &last};

int main(void) {
  struct node *n = &first;
  while (n && n->key != 3)
    n = n->next;
  assert(!n);
  return 0;
}
