// A read through a pointer that was set, and a copy of one that was not.
#include <assert.h>

struct pair { int *first, *second; };

int main(void) {
  int x = 5;
  struct pair p, q;
  p.first = &x;
  q = p;
  assert(*q.first == 5);
  return 0;
}
