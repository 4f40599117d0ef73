// The second link of a chain is null.
// expect: invalid pointer
#include <stdlib.h>

struct tree { struct tree *left, *right; int value; };

int main(void) {
  struct tree *t = calloc(1, sizeof *t);
  int v = t->left->value; // here
  free(t);
  return v == 77;
}
