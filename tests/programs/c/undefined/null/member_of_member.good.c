// Both links are asked for before they are followed.
#include <stdlib.h>

struct tree { struct tree *left, *right; int value; };

static int sum(const struct tree *t) {
  return t ? sum(t->left) + t->value + sum(t->right) : 0;
}

int main(void) {
  struct tree *t = calloc(1, sizeof *t);
  int v = sum(t);
  free(t);
  return v;
}
