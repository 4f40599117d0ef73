// A struct that outlives a block holds the address of a variable of that block.
// expect: use after free
struct list { struct list *next; int v; };

int main(void) {
  struct list head = {0, 1};
  for (int i = 0; i < 1; i++) {
    struct list node = {0, 2};
    head.next = &node;
  }
  int s = 0;
  for (struct list *l = &head; l; l = l->next) // here
    s += l->v; // here
  return s != 3;
}
