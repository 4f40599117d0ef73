// The member is freed before its struct.
// arguments: --leaks
#include <stdlib.h>

struct buffer { char *data; };

static void destroy(struct buffer *b) {
  free(b->data);
  free(b);
}

int main(void) {
  struct buffer *b = malloc(sizeof *b);
  b->data = malloc(8);
  destroy(b);
  return 0;
}
