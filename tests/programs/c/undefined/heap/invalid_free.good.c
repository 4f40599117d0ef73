// The pointer that malloc returned is freed.
#include <stdlib.h>

int main(void) {
  char *text = malloc(8), *start = text;
  text[0] = ' ';
  text[1] = 0;
  while (*text == ' ')
    text++;
  free(start);
  return 0;
}
