// strcat to an array that begins with a zero.
#include <assert.h>
#include <string.h>

int main(void) {
  char text[8];
  text[0] = 0;
  strcat(text, "a");
  strcat(text, "bc");
  assert(strcmp(text, "abc") == 0);
  return 0;
}
