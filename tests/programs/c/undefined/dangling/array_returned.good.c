// A function builds a string in an array of its caller.
#include <assert.h>
#include <string.h>

static const char *greet(char *text, int n) {
  strcpy(text, "hello");
  text[n] = 0;
  return text;
}

int main(void) {
  char text[8];
  const char *s = greet(text, 2);
  assert(strcmp(s, "he") == 0);
  return 0;
}
