// A member of what a null pointer points to.
// expect: invalid pointer
struct node { int key; struct node *next; };

static struct node last = {2, 0}, first = {1, &last};

int main(void) {
  struct node *n = &first;
  while (n->key != 3) // here
    n = n->next;
  return 0;
}
