// Two pointers to one object are both freed.
// expect: double free
#include <stdlib.h>

struct pair { int *a, *b; };

static void clear(struct pair *p) {
  free(p->a);
  free(p->b); // here
}

int main(void) {
  struct pair p;
  p.a = malloc(4);
  p.b = p.a;
  clear(&p);
  return 0;
}
