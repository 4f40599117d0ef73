// A pointer into the middle of an object is freed.
// expect: invalid free
#include <stdlib.h>

int main(void) {
  char *text = malloc(8);
  text[0] = ' ';
  text[1] = 0;
  while (*text == ' ')
    text++;
  free(text); // here
  return 0;
}
