// A flexible array member has as many elements as were allocated.
// expect: out of bounds
#include <stdlib.h>

struct packet { int size; int data[]; };

int main(void) {
  struct packet *p = malloc(sizeof *p + 2 * sizeof(int));
  p->size = 3;
  for (int i = 0; i < p->size; i++)
    p->data[i] = i; // here
  free(p);
  return 0;
}
