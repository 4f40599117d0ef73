// A struct is freed before its member, which is then read from it.
// expect: use after free
#include <stdlib.h>

struct buffer { char *data; };

static void destroy(struct buffer *b) {
  free(b);
  free(b->data); // here
}

int main(void) {
  struct buffer *b = malloc(sizeof *b);
  b->data = malloc(8);
  destroy(b);
  return 0;
}
