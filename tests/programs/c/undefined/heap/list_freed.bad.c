// A node's link is read after the node was freed.
// expect: use after free
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = list;
    list = n;
  }
  for (struct node *n = list; n; n = n->next) // here
    free(n);
  return 0;
}
