// A flexible array member is used as far as it was allocated.
#include <assert.h>
#include <stdlib.h>

struct packet { int size; int data[]; };

int main(void) {
  struct packet *p = malloc(sizeof *p + 2 * sizeof(int));
  p->size = 2;
  for (int i = 0; i < p->size; i++)
    p->data[i] = i;
  assert(p->data[1] == 1);
  free(p);
  return 0;
}
