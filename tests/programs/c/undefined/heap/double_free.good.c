// A null pointer may be freed any number of times.
#include <stdlib.h>

struct pair { int *a, *b; };

static void clear(struct pair *p) {
  free(p->a);
  p->a = 0;
  free(p->b);
  p->b = 0;
}

int main(void) {
  struct pair p;
  p.a = malloc(4);
  p.b = 0;
  clear(&p);
  clear(&p);
  return 0;
}
