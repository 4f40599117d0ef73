// A list of nodes on the stack, unlinked before a node ends.
#include <assert.h>

struct list { struct list *next; int v; };

int main(void) {
  struct list head = {0, 1};
  int s = 0;
  for (int i = 0; i < 2; i++) {
    struct list node = {0, 2};
    head.next = &node;
    for (struct list *l = &head; l; l = l->next)
      s += l->v;
    head.next = 0;
  }
  assert(s == 6);
  return 0;
}
